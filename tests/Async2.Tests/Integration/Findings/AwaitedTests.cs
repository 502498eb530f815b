using Async2.Analysis.Model;
using Async2.Tests.Integration.Situations;

namespace Async2.Tests.Integration.Findings;

/// <summary>What is waited for where the awaited object alone does not say it: a file, what is known at run time only. And what many places wait for is said once.</summary>
[Trait("Category", "Integration")]
public sealed class AwaitedTests
{
    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_file_has_its_path_and_a_promise_one_finding_for_all_places(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "awaited"))
        {
            LogicalStack At(string mark) => found.Stacks.First(stack => stack.Frames.Any(frame => frame.Line == found.LineOf(mark)));
            Assert.Matches("^File read, /.*/async2-awaited-[0-9]+$", At("file").WaitingOn!.FullText);
            Assert.All((string[])["dynamic", "often", "once"], mark => Assert.Equal("TaskCompletionSource<string>", At(mark).WaitingOn!.FullText));
            Finding orphan = Assert.Single(found.Findings, finding => finding.Severity == Severity.Warning);
            Assert.Equal(("orphan", Confidence.Possible, 5), (orphan.Rule, orphan.Confidence, orphan.Blocked));
            Assert.Equal($"3 x Awaited.OftenAsync (Awaited.cs:{found.LineOf("often")}), and 2 stacks in 2 other places, wait for a TaskCompletionSource<string>, and no code that runs, is suspended or is called back completes it", orphan.Text);
            Assert.Equal([found.LineOf("dynamic"), found.LineOf("often"), found.LineOf("once")], orphan.Evidence.Select(step => step.Line).OfType<int>().Order());
            Assert.Contains(found.Findings, finding => finding.Rule == "slow-dependency" && finding.Text.StartsWith("1 stack waits for the file /", StringComparison.Ordinal));
        }
    }

    // Its end comes when it was completed and all items have been read. Nobody reads those of one whose reader waits for its end first.
    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void Who_waits_for_the_end_of_a_channel_waits_for_that_channel(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "awaited"))
        {
            string?[] At(string mark) => [.. found.Stacks.Where(stack => stack.Frames.Any(frame => frame.Line == found.LineOf(mark))).SelectMany(stack => Enumerable.Repeat(stack.WaitingOn!.FullText, (int)stack.Count))];
            Assert.Equal(["Channel<int> completion, Awaited.Ends[...], 1 item", "Channel<int> completion, Awaited.Ends[...], 1 item", "Channel<int> completion, Awaited.Ends[...], 1 of 5 items"], At("end").Order(StringComparer.Ordinal));
            Assert.Equal("Channel<string> completion, 2 items, completed", Assert.Single(At("all")));
            Assert.Equal("Channel<double> completion, 0 of 2 items", Assert.Single(At("lost")));
            Assert.Equal(
                [
                    ("orphan", Confidence.Certain, $"Awaited.AllAsync (Awaited.cs:{found.LineOf("all")}) waits for the end of a Channel<string> that nothing in the process can empty: no root reaches it, except through those who wait"),
                    ("orphan", Confidence.Certain, $"Awaited.LostAsync (Awaited.cs:{found.LineOf("lost")}) waits for the end of a Channel<double> that nothing in the process can complete: no root reaches it, except through those who wait"),
                ],
                found.Findings.Where(finding => finding.Severity == Severity.Error).Select(finding => (finding.Rule, finding.Confidence, finding.Text)).Order());
        }
    }
}
