using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration;

/// <summary>Callbacks of timers, handles, tokens and the pool work for whom they were made: where they block, where they wait, and before they have begun.</summary>
[Trait("Category", "Integration")]
public sealed class CallbackLabelTests
{
    [Theory]
    [MemberData(nameof(SituationBuilds))]
    public void A_callback_has_the_values_of_where_it_was_made(string build)
    {
        using ScenarioProcess process = ScenarioProcess.Start(build == "Situations" ? ScenarioBuild.Situations : ScenarioBuild.SituationsClassic, ["callbacks"]);
        StackView view = WholeAnswer.Of($"{process.Pid}", new AnalysisOptions { Coalesce = false, AllThreads = true, PlainTasks = true });
        Assert.All((string[])["OnTimer", "OnTimerAsync", "OnHandle", "OnHandleAsync", "OnToken", "OnWork", "OnTask"], method => Assert.Equal(method, Value(At(view, method))));
        Assert.Null(Value(At(view, "OnUnsafeWork")));
        // Of an object what names it, and no secret.
        Assert.Equal("Caller{Tenant=t-OnTimer, Kind=Kind.Guest}", At(view, "OnTimer").Labels.FirstOrDefault(label => label.Name == "Callbacks.Whose")?.Value);
        LogicalStack[] tasks = [.. view.Stacks.Where(stack => Value(stack) == "task to come")];
        Assert.Contains(Assert.Single(tasks).Frames, frame => frame.Method.Contains("Task", StringComparison.Ordinal));
    }

    public static TheoryData<string> SituationBuilds => ["Situations", "Situations.Classic"];

    private static LogicalStack At(StackView view, string method) => Assert.Single(view.Stacks, stack => stack.Frames.Any(frame => frame.Type == "Situations.Callbacks" && frame.Name == method));

    private static string? Value(LogicalStack stack) => stack.Labels.FirstOrDefault(label => label.Name == "Callbacks.Carried")?.Value;
}
