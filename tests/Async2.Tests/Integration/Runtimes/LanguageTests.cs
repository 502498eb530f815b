using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Tests.Integration.Situations;

namespace Async2.Tests.Integration.Runtimes;

/// <summary>Async methods of Visual Basic and tasks of F# are shown as those of C# are. Lines are the programs' own marks.</summary>
[Trait("Category", "Integration")]
public sealed class LanguageTests
{
    [Fact]
    public void Async_methods_of_Visual_Basic_have_names_lines_and_waits()
    {
        Situation found = Situation.Look("Languages.VisualBasic", "");
        Assert.Equal(
            [
                "LendAsync@lend, Task.Delay",
                "Main.lambda@? < BlockAsync@block, SemaphoreSlim.WaitAsync",
                "PackAsync@pack < PackAsync.lambda@lambda, SemaphoreSlim.WaitAsync",
                "ServeAsync@serve < NextAsync@next, Channel<int> read",
            ],
            Described(found));
        Assert.Equal(["count = 5", "i = 2"], Locals(found, "NextAsync"));
        Assert.Equal(["item = \"bread\"", "count = 5"], Locals(found, "ServeAsync"));
        Assert.Equal(["pieces = 3"], Locals(found, "PackAsync"));
        Assert.All(Suspended(found), frame => Assert.Equal(Exactness.Exact, frame.Exactness));
    }

    [Fact]
    public void Tasks_of_FSharp_have_names_lines_and_waits()
    {
        Situation found = Situation.Look("Languages.FSharp", "task");
        Assert.Equal(
            [
                "OpenAsync@open, SemaphoreSlim.WaitAsync",
                "PackAsync@pack < pay@pay, SemaphoreSlim.WaitAsync",
                "lendAsync@lend, Task.Delay",
                "serveAsync@serve < nextAsync@next, Channel<int> read",
                "start.lambda@? < blockAsync@block, SemaphoreSlim.WaitAsync",
            ],
            Described(found));
        Assert.Equal(["count = 5"], Locals(found, "nextAsync"));
        Assert.Equal(["item = \"bread\"", "count = 5"], Locals(found, "serveAsync"));
        Assert.Equal(["item = \"pan\""], Locals(found, "lendAsync"));
        Assert.Equal("Languages.Program.Shop", found.Stacks.SelectMany(s => s.Frames).Single(f => f.Name == "PackAsync").Type);
        Assert.All(Suspended(found), frame => Assert.Equal(Exactness.Exact, frame.Exactness));
    }

    [Theory]
    [InlineData("async", "billAsync@bill < chargeAsync@charge, TaskCompletionSource<int>")]
    [InlineData("agent", "loop@receive, MailboxProcessor.Receive")]
    [InlineData("run", "start.lambda@? < billAsync@bill < chargeAsync@charge, TaskCompletionSource<int>")]
    [InlineData("child", "parentAsync@parent < sleepAsync@sleep, Async.Sleep")]
    [InlineData("both", "bothAsync@both, Async.Parallel", "callbackAsync@callback, Async.FromContinuations", "handleAsync@handle, Async.AwaitWaitHandle")]
    [InlineData("dynamic", "auditAsync@audit < surveyAsync@survey, SemaphoreSlim")]
    public void FSharp_asyncs_are_shown_by_their_continuations(string name, params string[] stacks)
    {
        Situation found = Situation.Look("Languages.FSharp", name);
        Assert.Equal(stacks, Described(found));
        Assert.DoesNotContain(Suspended(found), frame => frame.Exactness == Exactness.Exact && frame.Name != "auditAsync");
    }

    [Fact]
    public void Completed_asyncs_are_neither_shown_nor_reported_missing()
    {
        Situation found = Situation.Look("Languages.FSharp", "ended");
        Assert.Empty(found.Stacks);
        Assert.DoesNotContain(found.Problems, p => p.Code == ProblemCodes.AsyncsNotShown);
    }

    private static IEnumerable<string> Described(Situation found)
        => found.Stacks.Select(s => $"{found.OutermostFirst(s)}, {s.WaitingOn?.Text}").Order(StringComparer.Ordinal);

    private static IEnumerable<LogicalFrame> Suspended(Situation found) => found.Stacks.SelectMany(s => s.Frames).Where(f => f.Kind != FrameKind.Thread);

    // An object without a name, self in source, is not compared.
    private static IEnumerable<string> Locals(Situation found, string method)
        => found.Stacks.SelectMany(s => s.Frames).Single(f => f.Name == method).Locals
            .Where(l => l.Name != "this" && !l.Value.StartsWith("{0x", StringComparison.Ordinal)).Select(l => $"{l.Name} = {l.Value}");
}
