using System.Globalization;
using Async2.Benchmarks.Peers;
using Async2.Benchmarks.Processes;
using Async2.Benchmarks.Results;

namespace Async2.Benchmarks.Measures;

/// <summary>The design's own workload as a running process: for how long does it notice that it is read?</summary>
internal static class LiveMeasures
{
    public const string Name = "live";

    /// <exception cref="BenchException">A program failed.</exception>
    public static void Run(BenchOptions options, Tool tool, Report report)
    {
        report.Say("live: start");
        string[] arguments = Workload.All.Single(workload => workload.Name == Workload.Million).Arguments;
        using WorkloadProcess process = WorkloadProcess.Start([.. arguments, "--heartbeat"]);
        string pid = process.Pid.ToString(CultureInfo.InvariantCulture);
        report.Say("live: longest gap");
        Gaps(process, pid, options.Rounds, tool, report);
        report.Say("live: whole command");
        (Samples ours, Samples peer) = Samples.Interleave(options.Rounds, () => tool.Analyze(pid),
            () => Child.MustRun(typeof(LiveMeasures).Assembly.Location, EnumerateObjects.Command, pid).Time);
        report.Add(new Row(Name, "whole command / enumerate program", ours.Median, peer.Median, Unit.Milliseconds));
        if (Tool.Native is { } native)
        {
            (ours, peer) = Samples.Interleave(options.Rounds, () => native.Analyze(pid), () => Child.MustRun(typeof(LiveMeasures).Assembly.Location, EnumerateObjects.Command, pid).Time);
            report.Add(new Row(Name, "whole command, native / enumerate program", ours.Median, peer.Median, Unit.Milliseconds) { Goal = 0.35 });
        }
        report.Say("live: memory");
        report.Add(MemoryRow.Of(Name, "peak memory", tool, pid, process.Frames, options.MemoryRounds));
    }

    private static void Gaps(WorkloadProcess process, string pid, int rounds, Tool tool, Report report)
    {
        using var copy = new HeapCopy(process.Pid);
        var idle = new Samples();
        (Samples gap, Samples copied) = Samples.Interleave(rounds, GapOfTool, CopyAndIdle);
        string size = Unit.Megabytes.Format(copy.Bytes);
        report.Add(new Row(Name, $"longest gap / one copy of the heap ({size})", gap.Median, copied.Median, Unit.Milliseconds) { Goal = 3 });
        report.Add(new Row(Name, "longest gap while nobody reads / one copy", idle.Median, copied.Median, Unit.Milliseconds));

        TimeSpan GapOfTool()
        {
            process.ResetGap();
            tool.Analyze(pid);
            return process.LongestGap();
        }

        // What the machine does to the heartbeat anyway, to see how much of a gap is noise.
        TimeSpan CopyAndIdle()
        {
            process.ResetGap();
            Thread.Sleep(500);
            idle.Add(process.LongestGap());
            return copy.Run();
        }
    }
}
