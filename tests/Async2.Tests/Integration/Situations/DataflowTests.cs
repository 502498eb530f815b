using Async2.Analysis.Model;

namespace Async2.Tests.Integration.Situations;

/// <summary>Blocks of Dataflow out of which nothing goes any more are found, and what keeps them; those that are only slow are not. Both builds, live and from a dump.</summary>
[Trait("Category", "Integration")]
public sealed class DataflowTests
{
    // Rule, line, and what the finding and the wait say.
    private static readonly (string Rule, string Mark, string Said, string Fact)[] Stuck =
    [
        ("orphan", "unmatched", "waits for room in `Blocks._orders`, and the first item in it fits none of its 2 links", "BufferBlock<string> send, Blocks._orders, 2 of 2 items, its first item fits none of its 2 links"),
        ("orphan", "failed", "waits for room in `Blocks._mails`, and it is linked to nothing, and no code takes anything out of it", "2 of 2 items, linked to nothing"),
        ("orphan", "unlinked", "waits for the end of `Blocks._pages`, and it is linked to nothing", "TransformBlock<int, string> completion, Blocks._pages, 100 queued, linked to nothing"),
        ("orphan", "behind", "waits for room in `Blocks._rows`, and TransformBlock<long, decimal>, on which that hangs, is linked to nothing", "2 of 2 items, hangs on TransformBlock<long, decimal>, which is linked to nothing"),
        ("deadlock", "ring", "waits for room in `Blocks._there`, and it is linked in a ring of 2 blocks, all of them full", "2 of 2 items, in a ring of 2 full blocks"),
    ];

    public static TheoryData<string> Builds => new("Situations", "Situations.Classic");

    [Theory]
    [MemberData(nameof(Builds))]
    public void Blocks_out_of_which_nothing_goes_are_found(string build)
    {
        foreach (Situation look in Situation.LookTwice(build, "blockStuck"))
        {
            Finding[] likely = [.. look.Findings.Where(finding => finding.Confidence == Confidence.Likely)];
            Assert.Equal(Stuck.Select(row => (row.Rule, look.LineOf(row.Mark))).Order(), likely.Select(finding => (finding.Rule, finding.Evidence[0].Line ?? 0)).Order());
            Assert.All(Stuck, row => Assert.Contains(row.Said, Assert.Single(likely, finding => finding.Evidence[0].Line == look.LineOf(row.Mark)).Text, StringComparison.Ordinal));
            Assert.All(Stuck, row => Assert.Single(look.Stacks, stack => stack.WaitingOn?.FullText.Contains(row.Fact, StringComparison.Ordinal) == true));
            // Code alone tells that nobody ends it.
            Finding unended = Assert.Single(look.Findings, finding => finding.Severity > Severity.Info && finding.Confidence == Confidence.Possible);
            Assert.Equal(("orphan", look.LineOf("unended")), (unended.Rule, unended.Evidence[0].Line));
            Assert.Contains("waits for the end of `Blocks._hours`, and it was not told to complete, and no code", unended.Text, StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Optimised_code_says_the_same(string build)
    {
        Situation look = Situation.Look(build, "blockStuck", ("DOTNET_TieredCompilation", "0"));
        Assert.Equal(Stuck.Select(row => (row.Rule, look.LineOf(row.Mark))).Order(), look.Findings.Where(finding => finding.Confidence == Confidence.Likely).Select(finding => (finding.Rule, finding.Evidence[0].Line ?? 0)).Order());
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Blocks_that_are_slow_are_not(string build)
    {
        foreach (Situation look in Situation.LookTwice(build, "blockStuckAlike"))
        {
            Assert.Equal(13, look.Stacks.Length);
            Assert.DoesNotContain(look.Findings, finding => finding.Severity > Severity.Info);
        }
    }
}
