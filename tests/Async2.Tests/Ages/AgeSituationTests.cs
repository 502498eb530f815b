using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Ages;

/// <summary>
/// Ages against what programs record themselves, live and in a dump: exact ones are right to 20 ms, and of bounds at least 99 % contain the
/// moment that was noted, with any number of threads, and with collections in between.
/// </summary>
[Trait("Category", "Integration")]
public sealed class AgeSituationTests(ITestOutputHelper output)
{
    // What one step of the tick count and the time between noting and waiting may be.
    private const long Step = 20;

    public static TheoryData<string, string, string> Programs => new(
        from build in (string[])["Situations", "Situations.Classic"] from situation in (string[])["agesAlone", "agesCrowd", "agesOld"] from tiers in (string[])["", "0"] select (build, situation, tiers));

    [Theory]
    [MemberData(nameof(Programs))]
    public void Exact_ages_are_right_and_bounds_contain_the_truth(string build, string situation, string tiers)
        => Check(build, situation, tiers.Length == 0 ? [] : [("DOTNET_TieredCompilation", tiers)]);

    [Theory]
    [InlineData("Situations", "agesCrowd")]
    [InlineData("Situations", "agesOld")]
    [InlineData("Situations.Classic", "agesOld")]
    public void The_same_holds_where_each_processor_has_a_heap(string build, string situation) => Check(build, situation, [("DOTNET_gcServer", "1")]);

    private void Check(string build, string situation, (string Name, string Value)[] environment)
    {
        ScenarioBuild program = build == "Situations" ? ScenarioBuild.Situations : ScenarioBuild.SituationsClassic;
        using ScenarioProcess process = ScenarioProcess.Start(program, [situation], environment);
        using var folder = new TemporaryFolder();
        StackView live = Look($"{process.Pid}", null);
        string dump = folder.PathOf("ages.dmp");
        ProgramDump.Write(process.Pid, dump);
        StackView later = Look(dump, program.ForDump);
        Assert.NotNull(later.Target.LastTickFrom);
        foreach ((string way, StackView view, long now) in new[] { ("live", live, live.Target.Tick!.Value), ("dump", later, later.Target.LastTick!.Value) })
        {
            AgeScore score = AgeScore.Of(view, process.Truth.Ages!, now);
            output.WriteLine($"{build} {situation} {string.Join(' ', environment)} {way}: {score}");
            score.Check(Step, mostHaveSurvived: situation == "agesOld");
        }
    }

    private static StackView Look(string target, TargetOptions? options)
    {
        using Target opened = Target.Open(target, options ?? new TargetOptions());
        // Where each processor has a heap, some hundred bytes of a living one may not be readable: stacks that are missing are counted.
        return Analyzer.Analyze(opened, new AnalysisOptions { Coalesce = false, Locals = true });
    }
}

/// <summary>How ages compare with the truth.</summary>
internal sealed class AgeScore
{
    private readonly List<string> _wrong = [];
    private readonly List<long> _widths = [];
    private readonly List<long> _errors = [];
    private int _bounds, _atLeast, _atMost, _waits, _inexact;
    private long _now;

    public static AgeScore Of(StackView view, IReadOnlyList<long> began, long now)
    {
        var score = new AgeScore { _now = now };
        foreach (LogicalStack stack in view.Stacks)
        {
            LogicalFrame? frame = stack.Frames.FirstOrDefault(frame => frame.Type == "Situations.Ages" && frame.Locals.Any(local => local.Name == "k"));
            if (frame is null)
                continue;
            int number = int.Parse(frame.Locals.First(local => local.Name == "k").Value, System.Globalization.CultureInfo.InvariantCulture);
            score.Add($"{frame.Name} {number}", stack.Age, began[number], began[number + (began.Count / 2)], mustBeExact: frame.Name is "DelaysAsync" or "LimitsAsync");
            if (frame.Age is { } own)
                score.Add($"{frame.Name} {number}, the frame", own, began[number], began[number + (began.Count / 2)], mustBeExact: false);
        }
        return score;
    }

    public void Check(long step, bool mostHaveSurvived)
    {
        Assert.True(_errors.Count > 50, $"only {_errors.Count} exact ages");
        Assert.Equal(0, _inexact);
        Assert.InRange(_errors.Max(), 0, step);
        Assert.True(_atMost > 50, $"only {_bounds} bounds");
        // In both builds: an entry in the queue of a semaphore is made for one wait.
        Assert.True(!mostHaveSurvived || _atLeast > 50, $"only {_atLeast} lower bounds");
        Assert.True(_wrong.Count * 100 <= _bounds, $"{_wrong.Count} of {_bounds} bounds are wrong: {string.Join("; ", _wrong.Take(10))}");
    }

    public override string ToString()
    {
        _widths.Sort();
        return $"{_waits} waits; exact {_errors.Count}, worst {_errors.DefaultIfEmpty().Max()} ms; bounds {_bounds - _wrong.Count} of {_bounds} right ({_atLeast} at least, {_atMost} at most); "
            + $"both for {_widths.Count}, width median {(_widths.Count == 0 ? 0 : _widths[_widths.Count / 2])} ms, most {_widths.DefaultIfEmpty().Max()} ms" + (_wrong.Count > 0 ? $"; wrong: {string.Join("; ", _wrong.Take(5))}" : "");
    }

    private void Add(string name, StackAge? age, long began, long by, bool mustBeExact)
    {
        long truth = _now - began, least = by == 0 ? truth : _now - by;
        _waits++;
        if (age is { IsExact: true, Clock: AgeClock.Timer })
        {
            _errors.Add(Math.Max(0, Math.Max(age.AtLeastMs - truth, least - age.AtLeastMs)));
            return;
        }
        if (mustBeExact)
            _inexact++;
        if (age is null)
            return;
        _bounds++;
        _atLeast += age.AtLeastMs > 0 ? 1 : 0;
        _atMost += age.AtMostMs is null ? 0 : 1;
        if (age.AtLeastMs > 0 && age.AtMostMs is { } most)
            _widths.Add(most - age.AtLeastMs);
        if (age.AtLeastMs > truth + 20 || age.AtMostMs < least - 20)
            _wrong.Add($"{name}: {age.AtLeastMs} ({age.Clock}) to {age.AtMostMs} ({age.AtMostClock}), truth {truth}");
    }
}
