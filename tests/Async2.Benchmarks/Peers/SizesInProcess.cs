using Async2.Analysis;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Benchmarks.Peers;

/// <summary>Our analysis of several dumps in one process, in turn, warm. Prints a line for each time, <c>path milliseconds</c>.</summary>
internal static class SizesInProcess
{
    public const string Command = "sizes";

    public static int Run(int rounds, string[] dumps)
    {
        Target[] targets = [.. dumps.Select(dump => Target.OpenDump(dump, new TargetOptions()))];
        foreach (bool isCounted in InProcess.Rounds(rounds))
        {
            for (int i = 0; i < targets.Length; i++)
            {
                TimeSpan time = InProcess.TimeOf(() => Analyzer.Analyze(targets[i], new AnalysisOptions()));
                if (isCounted)
                    InProcess.Print(dumps[i], time);
            }
        }
        foreach (Target target in targets)
            target.Dispose();
        return 0;
    }
}
