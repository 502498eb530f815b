using System.Globalization;
using Async2.Benchmarks.Processes;
using Async2.Benchmarks.Results;

namespace Async2.Benchmarks.Measures;

/// <summary>The same suspended methods in heaps of two sizes, as running processes: how much more does the larger one notice that it is read, and what does that cost?</summary>
internal static class HeapMeasures
{
    public const string Name = "heap";

    private const int Smaller = 200;
    private const int Larger = 4000;
    private const int Frames = 100_000;
    private const double Megabytes = 1 << 20;
    private const double FixedMemory = 100e6;

    /// <exception cref="BenchException">A program failed.</exception>
    public static void Run(BenchOptions options, Tool portable, Report report)
    {
        Tool tool = Tool.Native ?? portable;
        report.Say("heap: start");
        using WorkloadProcess small = Start(Smaller), large = Start(Larger);
        report.Say("heap: longest gap");
        (Samples inLarge, Samples inSmall) = Samples.Interleave(options.Rounds, () => GapOf(large), () => GapOf(small));
        report.Add(new Row(Name, $"longest gap, heap of {Larger} MB / {Smaller} MB", inLarge.Median, inSmall.Median, Unit.Milliseconds) { Goal = 1.5 });
        report.Say("heap: whole command");
        (inLarge, inSmall) = Samples.Interleave(options.Rounds, () => tool.Analyze(IdOf(large)), () => tool.Analyze(IdOf(small)));
        report.Add(new Row(Name, $"whole command, heap of {Larger} MB / {Smaller} MB", inLarge.Median, inSmall.Median, Unit.Milliseconds));
        report.Say("heap: memory");
        double peak = Enumerable.Range(0, options.MemoryRounds).Max(_ => tool.PeakMemory(IdOf(large)));
        report.Add(new Row(Name, "peak memory / a tenth of the heap + 100 MB", peak, FixedMemory + (Larger * Megabytes / 10), Unit.Megabytes) { Goal = 1 });

        TimeSpan GapOf(WorkloadProcess process)
        {
            process.ResetGap();
            tool.Analyze(IdOf(process));
            return process.LongestGap();
        }
    }

    private static WorkloadProcess Start(int megabytes)
        => WorkloadProcess.Start("heap", megabytes.ToString(CultureInfo.InvariantCulture), Frames.ToString(CultureInfo.InvariantCulture), "--heartbeat");

    private static string IdOf(WorkloadProcess process) => process.Pid.ToString(CultureInfo.InvariantCulture);
}
