using Async2.Benchmarks.Processes;
using Async2.Benchmarks.Results;

namespace Async2.Benchmarks.Measures;

/// <summary>A million tasklets beside as many continuations.</summary>
internal static class TaskletMeasures
{
    public const string Name = "tasklets-1m";

    private const int Stacks = 10_000;
    private const int Depth = 100;

    /// <exception cref="BenchException">A program failed, or the disk is too small.</exception>
    public static void Run(BenchOptions options, Tool tool, Report report)
    {
        using var folder = new DumpFolder();
        report.Say($"{Name}: start and dump");
        WorkloadDump tasklets = Tasklets(folder);
        WorkloadDump continuations = WorkloadDump.Make(Workload.All.Single(workload => workload.Name == Workload.Million), folder);
        if (tool.CountFrames(tasklets.Path) is var found && found != tasklets.Frames)
            report.Note($"{Name}: the tool finds {found} of {tasklets.Frames} frames");
        report.Say($"{Name}: whole command");
        (Samples ours, Samples peer) = Samples.Interleave(options.Rounds, () => tool.Analyze(tasklets.Path), () => tool.Analyze(continuations.Path));
        report.Add(new Row(Name, "whole command / as many continuations", ours.Median, peer.Median, Unit.Milliseconds) { Goal = 1.5 });
    }

    private static WorkloadDump Tasklets(DumpFolder folder)
    {
        using var process = WorkloadProcess.StartTasklets(Stacks, Depth);
        return WorkloadDump.Make(process, Name, folder);
    }
}
