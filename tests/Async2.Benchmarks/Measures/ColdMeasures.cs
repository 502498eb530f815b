using Async2.Benchmarks.Peers;
using Async2.Benchmarks.Processes;
using Async2.Benchmarks.Results;

namespace Async2.Benchmarks.Measures;

/// <summary>What a part of one command costs, with all that has to be loaded and compiled for it.</summary>
internal static class ColdMeasures
{
    public const string Name = "cold";

    private const double Second = 1000;

    // In both builds of the same methods.
    private static readonly Workload[] Held = [new("held-400", ["held", "async"]), new("held-400-classic", ["held", "classic"])];

    /// <exception cref="BenchException">A program failed, or the disk is too small.</exception>
    public static void Run(BenchOptions options, Tool tool, Report report)
    {
        using var folder = new DumpFolder();
        string program = CopyWithImages(tool, folder);
        Workload million = Workload.All.Single(workload => workload.Name == Workload.Million);
        IReadOnlyDictionary<string, Samples> times = Measure(million, folder, program, options, report);
        report.Add(new Row(million.Name, "findings / the whole command, both cold", times[ColdRun.Findings].Median, times[ColdRun.Whole].Median, Unit.Milliseconds) { Goal = 0.15 });
        foreach (Workload workload in Held)
        {
            times = Measure(workload, folder, program, options, report);
            report.Add(new Row(workload.Name, "who holds a lock, at 400 places, cold / a second", times[ColdRun.Holders].Median, Second, Unit.Milliseconds) { Goal = 1 });
        }
    }

    private static IReadOnlyDictionary<string, Samples> Measure(Workload workload, DumpFolder folder, string program, BenchOptions options, Report report)
    {
        report.Say($"{Name}: start and dump {workload.Name}");
        WorkloadDump dump = WorkloadDump.Make(workload, folder);
        report.Say($"{Name}: {workload.Name}");
        // The first is not counted: files come from the disk.
        string[] outputs = [.. Enumerable.Range(0, options.Rounds + 1).Select(_ => Child.MustRun(program, ColdRun.Command, dump.Path).Output)];
        return Samples.Parse(string.Concat(outputs.Skip(1)));
    }

    // This program beside the libraries of the tool, which are compiled ahead of time, and with its settings.
    private static string CopyWithImages(Tool tool, DumpFolder folder)
    {
        string self = typeof(ColdMeasures).Assembly.Location, to = Directory.CreateDirectory(folder.PathOf("program")).FullName;
        foreach (string file in Directory.GetFiles(Path.GetDirectoryName(self)!))
        {
            string ofTool = Path.Join(Path.GetDirectoryName(tool.Path), Path.GetFileName(file));
            File.Copy(file.EndsWith(".dll", StringComparison.Ordinal) && File.Exists(ofTool) ? ofTool : file, Path.Join(to, Path.GetFileName(file)));
        }
        string settings = Path.ChangeExtension(Path.GetFileName(self), ".runtimeconfig.json");
        File.Copy(Path.ChangeExtension(tool.Path, ".runtimeconfig.json"), Path.Join(to, settings), overwrite: true);
        return Path.Join(to, Path.GetFileName(self));
    }
}
