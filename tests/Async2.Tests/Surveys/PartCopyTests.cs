using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Surveys;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Stopping;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Surveys;

/// <summary>
/// A process of which only what async code needs is copied, against the same process while it is stopped. The programs are small; what is asked for is what
/// the tool does above 128 MB, and with a small generation 0 nearly all of a program is old.
/// </summary>
[Trait("Category", "Integration")]
public sealed partial class PartCopyTests(ITestOutputHelper output)
{
    private const int Attempts = 5;

    [Theory]
    [InlineData("scenarios")]
    [InlineData("scenarios.classic")]
    [InlineData("scenarios.server")]
    [InlineData("requests")]
    public void What_it_shows_is_what_a_stopped_process_shows(string program)
    {
        using ScenarioProcess process = Start(program);
        MakeOld(process);
        // A program that does nothing is the same each time; a thread of the pool may end.
        for (int attempt = 1; ; attempt++)
        {
            StackView parts = Read(process.Pid, FreezeMode.Parts, out OldHeap? old), whole = Read(process.Pid, FreezeMode.Full, out _);
            Assert.NotNull(old);
            // What one copy lacked, the next one has: the first is final only if nothing else was read.
            Assert.True(old.Asked.Count == 0 || old.IsRepeated);
            output.WriteLine($"{old.Copied:N0} bytes of {old.Objects:N0} old objects, stopped for {parts.Target.FreezeMs} ms; {string.Join("; ", parts.Problems.Select(problem => problem.Text))}");
            if (attempt < Attempts && Text(parts) != Text(whole))
                continue;
            Assert.Equal(Text(whole), Text(parts));
            // Of the frames at least half are on pages that were not copied as a whole.
            ulong[] frames = [.. whole.Stacks.SelectMany(stack => stack.Frames).Select(frame => frame.Address).OfType<ulong>()];
            Assert.InRange(frames.Count(frame => old.Find(frame) is not null), frames.Length / 2, int.MaxValue);
            return;
        }
    }

    /// <summary>
    /// Between the look at the heap and the stop operations go on, end and begin, and objects that were there before are changed; then garbage is collected.
    /// </summary>
    [Theory]
    [InlineData(false, "change", true)]
    [InlineData(true, "change", true)]
    [InlineData(false, "collectYoung", true)]
    [InlineData(false, "collectTwice", false)]
    [InlineData(true, "collectTwice", false)]
    [InlineData(false, "sweep", false)]
    [InlineData(true, "collect", false)]
    public void What_happens_between_the_look_and_the_stop_is_seen(bool classic, string change, bool isStillOld)
    {
        using ScenarioProcess process = ScenarioProcess.Start(classic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, ["changing", "400"], ScenarioProcess.Untiered);
        process.Ask("tidy");
        process.Ask("tidy");
        using Target target = Target.OpenProcess(process.Pid, new TargetOptions { Freeze = FreezeMode.Parts });
        CollectionClock clock = Clock(process.Pid);
        var survey = new HeapSurvey(target, Analysis.Layouts.Descriptions.LayoutFacts.None, clock, new(null, completed: false));
        Assert.True(survey.Update(_ => { }, CancellationToken.None));

        process.Ask(change);
        ThreadRest.WaitFor(process.Pid);

        using (ProcessAccess taken = Take()!)
            Assert.Equal(isStillOld, taken.Copy is not null);
        if (!isStillOld)
            Assert.True(survey.Update(_ => { }, CancellationToken.None));
        StackView whole = Same(process.Pid, target, Take, change);
        OldHeap old = target.Origin.Copy!.Old!;
        Assert.Contains(whole.Stacks.SelectMany(stack => stack.Frames), frame => frame.Address is { } address && old.Find(address) is not null);
        output.WriteLine($"{whole.Stacks.Length} stacks, {old.Copied:N0} bytes of {old.Objects:N0} old objects, {old.Changed.Count} pages had changed");

        ProcessAccess? Take() => ProcessAccess.TakeParts(process.Pid, ulong.MaxValue, survey.Found, clock, null, out _);
    }

    /// <summary>What is known of a heap is kept from look to look, while the program does something else each time.</summary>
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 2)]
    public void What_is_kept_of_a_heap_is_as_good_as_a_new_look(bool classic, int seed)
    {
        string[] changes = ["change", "collectYoung", "collectTwice", "collectTwice", "sweep", "collect", "tidy"];
        var random = new Random(seed);
        using ScenarioProcess process = ScenarioProcess.Start(classic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, ["changing", "200"], ScenarioProcess.Untiered);
        process.Ask("tidy");
        process.Ask("tidy");
        using Target target = Target.OpenProcess(process.Pid, new TargetOptions { Freeze = FreezeMode.Parts });
        var survey = new HeapSurvey(target, Analysis.Layouts.Descriptions.LayoutFacts.None, Clock(process.Pid), new(null, completed: false));
        int inOld = 0;
        for (int step = 0; step < 8; step++)
        {
            // Promoted into what was free, moved, taken away, or left where it is.
            string change = step < changes.Length ? changes[step] : changes[random.Next(changes.Length)];
            process.Ask(change);
            ThreadRest.WaitFor(process.Pid);
            target.Use(ProcessAccess.Live, []);
            Assert.True(survey.Update(_ => { }, CancellationToken.None));
            StackView whole = Same(process.Pid, target, () => ProcessAccess.TakeParts(process.Pid, ulong.MaxValue, survey.Found, Clock(process.Pid), null, out _), $"step {step}, {change}");
            inOld += whole.Stacks.SelectMany(stack => stack.Frames).Count(frame => frame.Address is { } address && target.Origin.Copy!.Old!.Find(address) is not null);
        }
        Assert.InRange(inOld, 1000, int.MaxValue);
    }

    [Fact]
    public void Who_asks_for_a_search_of_all_objects_gets_all_of_them()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["mixed"], ScenarioProcess.Untiered);
        using Target target = Target.OpenProcess(process.Pid, new TargetOptions { Freeze = FreezeMode.Parts });
        Assert.True(target.Origin.IsToBeCopied);
        StackView view = Analyzer.Analyze(target, new AnalysisOptions { Deep = true }, cancellation: TestContext.Current.CancellationToken);
        Assert.Null(target.Origin.Copy!.Old);
        Assert.True(view.Complete);
    }

    [Fact]
    public void A_search_that_is_left_out_is_reported_with_the_option_that_makes_it()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["big", "4"], ScenarioProcess.Untiered);
        StackView view = Read(process.Pid, FreezeMode.Parts, out _, deep: null);
        Assert.Contains(view.Problems, problem => problem.Code == ProblemCodes.ReachUnknown && problem.Text.Contains("--deep", StringComparison.Ordinal));
        Assert.True(view.Complete);
    }

    // The program may still be on its way to where it rests; what is known of its heap stays as it is.
    private static StackView Same(int pid, Target target, Func<ProcessAccess?> take, string when)
    {
        for (int attempt = 1; ; attempt++)
        {
            target.Use(take()!, []);
            StackView parts = Analyze(target), whole = Read(pid, FreezeMode.Full, out _);
            if (attempt < Attempts && Text(parts) != Text(whole))
                continue;
            Assert.NotNull(target.Origin.Copy?.Old);
            Assert.True(Text(whole) == Text(parts), $"{when}: {parts.Stacks.Length} stacks instead of {whole.Stacks.Length}");
            return whole;
        }
    }

    private static ScenarioProcess Start(string program) => program switch
    {
        "scenarios" => ScenarioProcess.Start(ScenarioBuild.Release, [], ScenarioProcess.Untiered),
        "scenarios.classic" => ScenarioProcess.Start(ScenarioBuild.Classic, [], ScenarioProcess.Untiered),
        "scenarios.server" => ScenarioProcess.Start(ScenarioBuild.Release, [], ("DOTNET_gcServer", "1"), ScenarioProcess.Untiered),
        _ => ScenarioProcess.Start(ScenarioBuild.Server, [program], ScenarioProcess.Untiered),
    };

    // Twice: what is alive becomes a generation older each time.
    private static void MakeOld(ScenarioProcess process)
    {
        CollectionClock clock = Clock(process.Pid);
        for (int i = 0; i < 2; i++)
        {
            uint before = clock.Now.Old;
            process.Tell("tidy");
            ProcessFacts.WaitUntil(() => clock.Now is { IsBusy: false } now && now.Old > before, "garbage is collected");
        }
        ThreadRest.WaitFor(process.Pid);
    }

    private static CollectionClock Clock(int pid) => CollectionClocks.Find(pid, MemoryMapping.Of(pid).First(mapping => mapping.Path.EndsWith("/libcoreclr.so", StringComparison.Ordinal)).Start)!;

    private static StackView Read(int pid, FreezeMode mode, out OldHeap? old, bool? deep = false)
    {
        using Target target = Target.OpenProcess(pid, new TargetOptions { Freeze = mode });
        StackView view = Analyze(target, deep);
        old = target.Origin.Copy?.Old;
        return view;
    }

    private static StackView Analyze(Target target, bool? deep = false)
        => Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false, Locals = true, Deep = deep }, cancellation: TestContext.Current.CancellationToken);

    // Without what passes: how long it took, and how long ago something was. What could not be searched is said of parts only.
    private static string Text(StackView view)
    {
        JsonObject answer = JsonNode.Parse(Rendered.Json(view with { Problems = [.. view.Problems.Where(problem => problem.Code != ProblemCodes.NotSearched)] }))!.AsObject();
        answer.Remove("target");
        return Passing().Replace(answer.ToJsonString(new() { WriteIndented = true }), "");
    }

    [GeneratedRegex("(\"at(Least|Most)Ms\": [0-9]+)|(due in [0-9a-z ]+)")]
    private static partial Regex Passing();
}
