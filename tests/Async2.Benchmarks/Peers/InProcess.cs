using System.Diagnostics;
using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Benchmarks.Peers;

/// <summary>
/// The enumeration and our analysis in one process, in turn, both warm: the target is opened once for each of them, two rounds
/// are not counted. Prints a line for each time, <c>name milliseconds</c>.
/// </summary>
internal static class InProcess
{
    public const string Command = "inprocess";

    /// <summary>Name of the lines with the time of the enumeration.</summary>
    public const string Peer = "enumerate";

    /// <summary>Name of the lines with the time of the whole analysis.</summary>
    public const string Ours = "analyze";

    /// <summary>Rounds that are not counted.</summary>
    public const int WarmUpRounds = 2;

    public static int Run(string target, int rounds)
    {
        using DataTarget data = EnumerateObjects.Open(target);
        using ClrRuntime runtime = EnumerateObjects.Create(data);
        using var opened = Target.Open(target, new TargetOptions());
        for (int round = -WarmUpRounds; round < rounds; round++)
        {
            TimeSpan peer = TimeOf(() => EnumerateObjects.Count(runtime.Heap));
            var phases = new PhaseClock();
            TimeSpan ours = TimeOf(() => Analyzer.Analyze(opened, new AnalysisOptions(), phases));
            phases.Stop();
            if (round < 0)
                continue;
            Print(Peer, peer);
            Print(Ours, ours);
            foreach ((string phase, TimeSpan time) in phases.Times)
                Print(phase, time);
        }
        return 0;
    }

    /// <summary>What a round leaves behind is collected before the next one: each pays for its own garbage only.</summary>
    public static TimeSpan TimeOf(Action action)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        long start = Stopwatch.GetTimestamp();
        action();
        return Stopwatch.GetElapsedTime(start);
    }

    public static void Print(string name, TimeSpan time) => Console.WriteLine($"{name} {time.TotalMilliseconds.ToString("F3", CultureInfo.InvariantCulture)}");
}
