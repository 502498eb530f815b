using System.Collections.Immutable;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration;

/// <summary>A target that stays open answers for each frame what the whole answer with locals says of it, and for what is inside of values.</summary>
[Trait("Category", "Integration")]
public sealed class AnalyzedTargetTests
{
    public static TheoryData<string> Modes => new("cold", "full opt", "classic");

    [Theory]
    [MemberData(nameof(Modes))]
    public void Variables_that_are_asked_for_later_are_those_of_an_answer_with_locals(string modeName)
    {
        using ScenarioProcess process = ScenarioMode.All.Single(m => m.Name == modeName).Start();
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        var options = new AnalysisOptions { Coalesce = false };
        AnalyzedTarget open = AnalyzedTarget.Analyze(target, options, cancellation: TestContext.Current.CancellationToken);
        ImmutableArray<LogicalStack> whole = Analyzer.Analyze(target, options with { Locals = true }, cancellation: TestContext.Current.CancellationToken).Stacks;

        Assert.Equal(whole.Length, open.Snapshot.Stacks.Length);
        int compared = 0;
        foreach ((LogicalStack stack, LogicalStack expected) in open.Snapshot.Stacks.Zip(whole))
        {
            for (int i = 0; i < stack.Frames.Count; i++)
            {
                Assert.Equal(expected.Frames[i].Locals, open.LocalsOf(stack, i).Select(l => l with { Parts = null }));
                compared += expected.Frames[i].Locals.Length;
            }
        }
        Assert.True(compared > 100, $"only {compared} variables");
    }

    [Fact]
    public void Other_questions_are_answered_when_the_target_is_closed()
    {
        using ScenarioProcess process = ScenarioMode.All.Single(m => m.Name == "cold").Start();
        CancellationToken stop = TestContext.Current.CancellationToken;
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        AnalysisOptions[] questions =
        [
            new() { Coalesce = false },
            new() { IncludeFramework = true },
            new() { Query = new() { Method = TextPattern.Parse("--method", "Async") } },
            new() { Query = new() { WaitingOn = TextPattern.Parse("--waiting-on", "delay"), States = [StackState.Awaiting] } },
            new() { Query = new() { Without = [TextPattern.Parse("--without", "e")] } },
            new() { Query = new() { ObjectType = "Promise" }, Coalesce = false },
        ];
        string[] expected = [.. questions.Select(question => Rendered.Json(Analyzer.Analyze(target, question, cancellation: stop)))];
        AnalyzedTarget read = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: stop);
        target.Dispose();
        Assert.Distinct(expected);
        Assert.Equal(expected, questions.Select(question => Rendered.Json(read.Ask(question, stop))));
    }

    [Fact]
    public void Every_answer_of_an_open_target_has_the_same_time()
    {
        using ScenarioProcess process = ScenarioMode.All.Single(m => m.Name == "cold").Start();
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        (long?, DateTimeOffset?)[] times = [.. Enumerable.Range(0, 3).Select(_ => AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken).Model.Target).Select(facts => (facts.Tick, facts.TakenAt)).Distinct()];
        (long? tick, DateTimeOffset? taken) = Assert.Single(times);
        Assert.InRange(tick!.Value, Environment.TickCount64 - 600_000, Environment.TickCount64);
        Assert.InRange(taken!.Value, DateTimeOffset.UtcNow.AddMinutes(-10), DateTimeOffset.UtcNow);
    }

    [Fact]
    public void Objects_structs_arrays_and_lists_are_expanded_one_level_at_a_time()
    {
        using ScenarioProcess process = ScenarioMode.All.Single(m => m.Name == "cold").Start();
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        AnalyzedTarget open = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken);
        LocalValue[] all = [.. open.Snapshot.Stacks.SelectMany(stack => Enumerable.Range(0, stack.Frames.Count).SelectMany(i => open.LocalsOf(stack, i)))];

        LocalValue[] elements = [.. all.Where(l => l.Parts is { IsIndexed: true })];
        Assert.Contains(elements, l => l.Type == "int[]");
        Assert.Contains(elements, l => l.Type!.StartsWith("List<", StringComparison.Ordinal));
        Assert.All(elements, l => Assert.Equal(l.Parts!.Count, open.PartsOf(l.Parts, 0, int.MaxValue).Length));
        Assert.All(elements, l => Assert.Equal("[0]", open.PartsOf(l.Parts!, 0, 1).Single().Name));
        // What the text of a struct says in one line is what its parts say one by one.
        LocalValue[] structs = [.. all.Where(l => l.Parts is { IsIndexed: false, Address: null } && l.Value.StartsWith("{ ", StringComparison.Ordinal) && !l.Value.Contains("...", StringComparison.Ordinal))];
        Assert.NotEmpty(structs);
        Assert.All(structs, l => Assert.All(open.PartsOf(l.Parts!, 0, 100), part => Assert.Contains($"{part.Name} = ", l.Value, StringComparison.Ordinal)));
        LocalValue[] objects = [.. all.Where(l => l.Parts is { IsIndexed: false, Address: not null })];
        Assert.NotEmpty(objects);
        Assert.All(objects, l => Assert.DoesNotContain(open.PartsOf(l.Parts!, 0, 100), part => part.Value == "<unreadable>"));
        Assert.DoesNotContain(all, l => l.Parts is not null && (l.Type == "string" || l.Value == "null"));
    }

    [Fact]
    public void What_a_stack_waits_for_is_an_object_like_any_other()
    {
        using ScenarioProcess process = ScenarioMode.All.Single(m => m.Name == "cold").Start();
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        AnalyzedTarget open = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken);
        WaitingOn wait = open.Snapshot.Stacks.Select(s => s.WaitingOn).First(w => w is { Address: not null, Text: "SemaphoreSlim.WaitAsync" })!;

        LocalValue semaphore = open.ObjectAt("wait", wait.Address!.Value)!;
        Assert.Contains("TaskNode", semaphore.Type, StringComparison.Ordinal);
        Assert.NotEmpty(open.PartsOf(semaphore.Parts!, 0, 100));
        Assert.Null(open.ObjectAt("nothing", 8));
    }

    [Fact]
    public void A_range_outside_of_the_parts_is_empty()
    {
        using ScenarioProcess process = ScenarioMode.All.Single(m => m.Name == "cold").Start();
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        AnalyzedTarget open = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken);
        ValueParts parts = open.Snapshot.Stacks.SelectMany(s => Enumerable.Range(0, s.Frames.Count).SelectMany(i => open.LocalsOf(s, i))).First(l => l.Parts is not null).Parts!;

        Assert.Empty(open.PartsOf(parts, parts.Count, 10));
        Assert.Empty(open.PartsOf(parts, -5, -1));
        Assert.Empty(open.LocalsOf(open.Snapshot.Stacks[0], 100_000));
    }
}
