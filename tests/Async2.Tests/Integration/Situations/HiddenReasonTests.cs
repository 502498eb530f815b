using Async2.Analysis.Model;

namespace Async2.Tests.Integration.Situations;

/// <summary>Reasons that no frame of the user's shows by itself: they are said beside one.</summary>
[Trait("Category", "Integration")]
public sealed class HiddenReasonTests
{
    public static TheoryData<string> Builds => ["Situations", "Situations.Classic"];

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_timeout_between_two_async_methods_is_shown(string build)
    {
        Situation found = Situation.Look(build, "hidden");
        LogicalStack impatient = found.Stacks.Single(s => s.Frames[^1].Name == "ImpatientAsync"), patient = found.Stacks.Single(s => s.Frames[^1].Name == "PatientAsync");
        Assert.Equal("ImpatientAsync@impatient < StepAsync@step", found.OutermostFirst(impatient));
        Assert.Equal("Task.WaitAsync, timeout 10 min", impatient.Frames[^1].Note);
        Assert.Equal("PatientAsync@patient < StepAsync@step", found.OutermostFirst(patient));
        Assert.Null(patient.Frames[^1].Note);
        Assert.Contains("[Task.WaitAsync, timeout 10 min]", found.Text, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void An_await_that_the_compiler_made_says_what_it_disposes(string build)
    {
        Situation found = Situation.Look(build, "hidden");
        var notes = found.Stacks.ToDictionary(s => s.Frames[^1].Name!, s => s.Frames[^1].Note);
        Assert.Equal($"disposing what line {found.LineOf("opened")} opened", notes["UsingAsync"]);
        Assert.Equal($"disposing what line {found.LineOf("enumerated")} opened", notes["ForeachAsync"]);
        Assert.Null(notes["DisposesItselfAsync"]);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_method_that_yielded_its_thread_waits_for_a_thread(string build)
    {
        LogicalStack stack = Assert.Single(Situation.Look(build, "yielding").Stacks);
        Assert.Equal((StackState.Scheduled, "Task.Yield"), (stack.State, stack.WaitingOn?.Text));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_program_whose_async_methods_only_run_has_some(string build)
    {
        Situation found = Situation.Look(build, "fresh");
        Assert.Equal(StackState.Active, Assert.Single(found.Stacks).State);
        Assert.DoesNotContain(found.Problems, p => p.Code == ProblemCodes.NoRuntimeAsync);
    }
}
