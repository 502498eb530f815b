using System.Diagnostics;
using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
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

    /// <summary>Name of the lines with the time of the same analysis through the reader of a debugger, which one thread at a time may use.</summary>
    public const string Hosted = "hosted";

    /// <summary>Name of the lines with the time of a second question to what was read: other stacks, and each on its own.</summary>
    public const string Again = "again";

    /// <summary>Name of the lines with the time of all findings: what the first question takes longer than the same asked again.</summary>
    public const string Findings = "findings";

    /// <summary>Name of the lines with the time of the search for waits without an end, whatever the size of the heap.</summary>
    public const string Orphans = "orphans";

    // The phase as the analysis reports it.
    private const string OrphanPhase = "finding waits without an end";

    // Rounds that are not counted: so many, and for so long. Then .NET has compiled again, with all it can do, what is hot.
    private const int WarmUpRounds = 2;
    private static readonly TimeSpan WarmUpTime = TimeSpan.FromSeconds(4);

    // All stacks have a method like this, so all are looked at and shown.
    private static AnalysisOptions Other => new() { Query = new StackQuery { Method = TextPattern.Parse("--method", "async"), States = [StackState.Awaiting] } };

    public static int Run(string target, int rounds)
    {
        using DataTarget data = EnumerateObjects.Open(target);
        using ClrRuntime runtime = EnumerateObjects.Create(data);
        using var opened = Target.Open(target, new TargetOptions());
        // Hosts know the dump's file.
        using var hosted = Target.FromRuntime(runtime, isDump: true, target);
        foreach (bool isCounted in Rounds(rounds))
        {
            TimeSpan peer = TimeOf(() => EnumerateObjects.Count(runtime.Heap));
            var phases = new PhaseClock();
            AnalyzedTarget? read = null;
            TimeSpan ours = TimeOf(() => read = AnalyzedTarget.Analyze(opened, new AnalysisOptions(), phases));
            phases.Stop();
            // Findings are made once for a model, when it is first asked.
            TimeSpan first = TimeOf(() => read!.Ask(Other));
            TimeSpan again = TimeOf(() => read!.Ask(Other));
            var deep = new PhaseClock();
            TimeOf(() => AnalyzedTarget.Analyze(opened, new AnalysisOptions { Deep = true }, deep));
            deep.Stop();
            TimeSpan inHost = TimeOf(() => Analyzer.Analyze(hosted, new AnalysisOptions()));
            if (!isCounted)
                continue;
            Print(Peer, peer);
            Print(Ours, ours);
            Print(Again, again);
            Print(Findings, first > again ? first - again : TimeSpan.Zero);
            Print(Hosted, inHost);
            Print(Orphans, deep.Times.FirstOrDefault(pair => pair.Phase == OrphanPhase).Time);
            foreach ((string phase, TimeSpan time) in phases.Times)
                Print(phase, time);
        }
        return 0;
    }

    /// <summary>One item for each round to run: whether it is counted.</summary>
    public static IEnumerable<bool> Rounds(int counted)
    {
        long start = Stopwatch.GetTimestamp();
        for (int round = 0; round < WarmUpRounds || Stopwatch.GetElapsedTime(start) < WarmUpTime; round++)
            yield return false;
        for (int round = 0; round < counted; round++)
            yield return true;
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
