using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Targets;

/// <summary>
/// Processes that are read in their first second, when the runtime compiles most of all, on a machine whose processors all have something else
/// to do. Only reads of which the clocks prove it count. With <c>ASYNC2_LONG</c> as many as docs/performance.md says.
/// </summary>
[Trait("Category", "Integration")]
[Collection(MeasuredCollection.Name)]
public sealed partial class YoungProcessTests(ITestOutputHelper output)
{
    private const int Chains = 50;
    private const int MostReadsOfOne = 3;
    private const int ProcessesForOneRead = 20;

    // Both clocks tick so often.
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(10);

    private readonly List<YoungRead> _reads = [];

    [Fact]
    public void In_its_first_second_no_name_is_invented()
    {
        int wanted = LongRuns.Of(12, 1000), started = 0;
        Analyzer.Prepare();
        using (new BusyProcessors())
        {
            for (; Counted < wanted && started < wanted * ProcessesForOneRead; started++)
            {
                using ScenarioProcess process = ScenarioProcess.StartYoung(ScenarioBuild.Situations, ["churn", Chains.ToString(CultureInfo.InvariantCulture)]);
                for (int i = 0; i < MostReadsOfOne && Counted < wanted && (_reads.Count == 0 || i == 0 || _reads[^1].IsInFirstSecond); i++)
                    _reads.Add(Read(process.Pid));
            }
        }
        YoungRead[] young = [.. _reads.Where(read => read.IsInFirstSecond)];
        output.WriteLine($"{young.Length} reads in the first second of {started} processes ({_reads.Count - young.Length} later ones do not count), ages {young.Min(r => r.Age.TotalMilliseconds):F0} to {young.Max(r => r.Age.TotalMilliseconds):F0} ms: "
            + $"{young.Count(r => r.IsWhole)} whole, {young.Count(r => !r.IsWhole)} partial, {young.Count(r => r.HasUnknown)} with a name missing, {young.Count(r => r.IsAgain)} read more than once, {young.Sum(r => r.Invented.Length)} names invented");
        foreach (YoungRead read in young.Where(read => !read.IsWhole || read.IsAgain))
            output.WriteLine(read.Problems);
        Assert.Equal(wanted, young.Length);
        Assert.Empty(young.SelectMany(read => read.Invented));
        Assert.DoesNotContain(young, read => read is { IsWhole: true, HasUnknown: true });
        // What a thread executes just now is not suspended: two threads resume the chains.
        Assert.All(young.Where(read => read.IsWhole), read => Assert.InRange(read.Chains, Chains - 4, Chains));
    }

    private int Counted => _reads.Count(read => read.IsInFirstSecond);

    // As the tool reads it.
    private static YoungRead Read(int pid)
    {
        Reading<StackView> reading = RepeatedReading.Read(
            options => Target.OpenProcess(pid, options), new TargetOptions(), target => Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false }), snapshot => snapshot, CancellationToken.None);
        using Target target = reading.Target;
        TimeSpan age = Age(pid) - Stopwatch.GetElapsedTime(target.Origin.Moment!.Value);
        StackView snapshot = reading.With(reading.Answer);
        string[] names = [.. snapshot.Stacks.SelectMany(stack => stack.Frames).Select(frame => frame.Method)];
        return new(
            age, snapshot.Complete, names.Any(name => name.StartsWith("<unknown", StringComparison.Ordinal)), reading.Again is not null,
            snapshot.Stacks.Count(stack => stack.Frames.Any(frame => frame.Method.StartsWith("Situations.Churn.ServeAsync", StringComparison.Ordinal))),
            [.. names.Where(name => name.StartsWith("Situations.", StringComparison.Ordinal) && !Running().IsMatch(name))],
            string.Join("; ", snapshot.Problems.Select(problem => problem.Code + " " + problem.Text)));
    }

    // Both count from the start of the machine (proc(5)); the 22nd field is in hundredths of a second.
    private static TimeSpan Age(int pid)
    {
        double up = double.Parse(File.ReadAllText("/proc/uptime").Split(' ')[0], CultureInfo.InvariantCulture);
        double started = double.Parse(ProcFiles.StatFields(pid.ToString(CultureInfo.InvariantCulture))![19], CultureInfo.InvariantCulture) / 100;
        return TimeSpan.FromSeconds(up - started) + Tick;
    }

    [GeneratedRegex(@"^Situations\.(Churn|Program|Marks)\.")]
    private static partial Regex Running();

    private sealed record YoungRead(TimeSpan Age, bool IsWhole, bool HasUnknown, bool IsAgain, int Chains, string[] Invented, string Problems)
    {
        public bool IsInFirstSecond => Age < TimeSpan.FromSeconds(1);
    }

    /// <summary>A thread for each processor that does nothing but run.</summary>
    private sealed class BusyProcessors : IDisposable
    {
        private volatile bool _isOver;

        public BusyProcessors()
        {
            for (int i = 0; i < Environment.ProcessorCount; i++)
                new Thread(() => { while (!_isOver) { } }) { IsBackground = true }.Start();
        }

        public void Dispose() => _isOver = true;
    }
}
