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
            Finding orphan = Assert.Single(found.Findings, finding => finding.Severity > Severity.Info);
            Assert.Equal(("orphan", Confidence.Possible, 5), (orphan.Rule, orphan.Confidence, orphan.Blocked));
            Assert.Equal($"3 x Awaited.OftenAsync (Awaited.cs:{found.LineOf("often")}), and 2 stacks in 2 other places, wait for a TaskCompletionSource<string>, and no code that runs, is suspended or is called back completes it", orphan.Text);
            Assert.Equal([found.LineOf("dynamic"), found.LineOf("often"), found.LineOf("once")], orphan.Evidence.Select(step => step.Line).OfType<int>().Order());
            Assert.Contains(found.Findings, finding => finding.Rule == "slow-dependency" && finding.Text.StartsWith("1 stack waits for the file /", StringComparison.Ordinal));
        }
    }
}
