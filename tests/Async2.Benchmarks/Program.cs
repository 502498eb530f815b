using Async2.Benchmarks;
using Async2.Benchmarks.Peers;

// The peers are commands of this program, so that one project serves. They do nothing that they need not: they are measured.
switch (args)
{
    case [EnumerateObjects.Command, var target]:
        return EnumerateObjects.Run(target);
    case [InProcess.Command, var target, var rounds]:
        return InProcess.Run(target, int.Parse(rounds));
    case [ColdRun.Command, var target]:
        return ColdRun.Run(target);
    case [SizesInProcess.Command, var rounds, .. var dumps]:
        return SizesInProcess.Run(int.Parse(rounds), dumps);
    default:
        return Bench.Measure(args);
}
