using System.Globalization;
using Async2.Benchmarks.Peers;
using Async2.Benchmarks.Processes;
using Async2.Benchmarks.Results;

namespace Async2.Benchmarks.Measures;

/// <summary>
/// How much the time of one frame grows from a size to any larger one, at worst; falling is not a miss. The sizes are measured in
/// turn, like peers: minutes apart they would only show how busy the machine was.
/// </summary>
internal static class GrowthMeasures
{
    public const string Name = "growth";

    private const int SmallestFrames = 10_000;
    private const int LargestFrames = 5_000_000;

    /// <exception cref="BenchException">A program failed, or the disk is too small.</exception>
    public static void Run(BenchOptions options, Tool tool, Report report)
    {
        using var folder = new DumpFolder();
        var dumps = new List<WorkloadDump>();
        foreach (Workload workload in Workload.All.Where(workload => workload.Grows && !(options.Quick && workload.Big)))
        {
            report.Say($"growth: start and dump {workload.Name}");
            dumps.Add(WorkloadDump.Make(workload, folder));
        }
        dumps.RemoveAll(dump => dump.Frames < SmallestFrames);
        report.Say("growth: whole command");
        report.Add(Worst("time of a frame, larger / smaller, whole command", dumps, WholeCommand(dumps, options.Rounds, tool)));
        report.Say("growth: in one process");
        report.Add(Worst("time of a frame, larger / smaller, warm", dumps, Warm(dumps, options.Rounds)));
    }

    private static Samples[] WholeCommand(List<WorkloadDump> dumps, int rounds, Tool tool)
    {
        Samples[] times = [.. dumps.Select(_ => new Samples())];
        for (int round = 0; round < rounds; round++)
        {
            foreach ((int index, WorkloadDump dump) in dumps.Index())
                times[index].Add(tool.Analyze(dump.Path));
        }
        return times;
    }

    private static Samples[] Warm(List<WorkloadDump> dumps, int rounds)
    {
        ChildResult result = Child.MustRun(typeof(GrowthMeasures).Assembly.Location,
            [SizesInProcess.Command, rounds.ToString(CultureInfo.InvariantCulture), .. dumps.Select(dump => dump.Path)]);
        IReadOnlyDictionary<string, Samples> times = Samples.Parse(result.Output);
        return [.. dumps.Select(dump => times[dump.Path])];
    }

    private static Row Worst(string what, List<WorkloadDump> dumps, Samples[] times)
    {
        double[] ofFrame = [.. dumps.Select((dump, index) => 1e6 * times[index].Median / dump.Frames)];
        (double Larger, double Smaller) worst = ofFrame
            .SelectMany((smaller, index) => ofFrame.Skip(index + 1).Select(larger => (larger, smaller)))
            .MaxBy(pair => pair.larger / pair.smaller);
        bool isWhole = dumps[0].Frames == SmallestFrames && dumps[^1].Frames == LargestFrames;
        return new Row(Name, what, worst.Larger, worst.Smaller, Unit.Nanoseconds) { Goal = isWhole ? 1.5 : null };
    }
}
