using Async2.Analysis.Model;

namespace Async2.Tests.Integration.Situations;

/// <summary>
/// Starved pools and threads that wait for async work are found with the line that blocks, and their healthy twins are not accused: in both builds,
/// live and from a dump, with and without tiering.
/// </summary>
[Trait("Category", "Integration")]
public sealed class PoolFindingTests
{
    private const string Starvation = "starvation";
    private const string SyncOverAsync = "sync-over-async";

    private static readonly string[] Builds = ["Situations", "Situations.Classic"];

    /// <summary>What must be found: the line that blocks, how sure live, and how sure in a dump, which has no clock of its own.</summary>
    private static readonly (string Situation, string Rule, string Mark, Confidence Live, Confidence Dump)[] Broken =
    [
        ("poolSleeping", Starvation, "sleeps", Confidence.Likely, Confidence.Likely),
        ("poolWaiting", Starvation, "waits", Confidence.Certain, Confidence.Possible),
        ("poolResult", Starvation, "result", Confidence.Certain, Confidence.Likely),
        ("poolResult", SyncOverAsync, "result", Confidence.Certain, Confidence.Certain),
        ("starved", Starvation, "asleep", Confidence.Certain, Confidence.Possible),
        ("channel", Starvation, "asleep", Confidence.Certain, Confidence.Possible),
        ("blocked", SyncOverAsync, "wait", Confidence.Certain, Confidence.Certain),
        ("blocked", SyncOverAsync, "result", Confidence.Certain, Confidence.Certain),
        ("blocked", SyncOverAsync, "getResult", Confidence.Certain, Confidence.Certain),
        ("uiBlocks", SyncOverAsync, "interface", Confidence.Certain, Confidence.Certain),
        ("served", SyncOverAsync, "shared", Confidence.Certain, Confidence.Certain),
        // What it blocks for can never be done; that is another rule's, but it is there.
        ("served", "orphan", "patient", Confidence.Certain, Confidence.Certain),
    ];

    public static TheoryData<string, string> BrokenOnes => new(from build in Builds from name in Broken.Select(row => row.Situation).Distinct() select (build, name));

    public static TheoryData<string, string> HealthyOnes => new(
        from build in Builds
        from name in (string[])["poolFed", "poolComputing", "poolCrunching", "poolBrief", "poolRoomy", "mainWaits", "ownThread", "parallelLoop", "healthy", "running"]
        select (build, name));

    [Theory]
    [MemberData(nameof(BrokenOnes))]
    public void What_blocks_is_found_with_its_line(string build, string situation)
    {
        Situation[] looks = Situation.LookTwice(build, situation);
        Check(looks[0], situation, row => row.Live);
        Check(looks[1], situation, row => row.Dump);
    }

    [Theory]
    [MemberData(nameof(BrokenOnes))]
    public void Optimized_code_makes_no_difference(string build, string situation)
        => Check(Situation.Look(build, situation, ("DOTNET_TieredCompilation", "0")), situation, row => row.Live, linesAreExact: false);

    [Theory]
    [MemberData(nameof(HealthyOnes))]
    public void A_healthy_twin_is_not_accused(string build, string situation)
    {
        foreach (Situation found in Situation.LookTwice(build, situation))
            Assert.Empty(found.Findings.Where(finding => finding is { Severity: > Severity.Info, Confidence: > Confidence.Possible }).Select(finding => finding.Text));
    }

    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_pool_that_adds_workers_and_never_catches_up_is_starved(string build)
    {
        Finding starved = Assert.Single(Situation.Look(build, "poolRescued").Findings, finding => finding.Rule == Starvation);
        Assert.Equal((Severity.Error, Confidence.Likely), (starved.Severity, starved.Confidence));
        Assert.Matches(@"^(all|\d+ of) \d+ pool threads block while \d+ items are queued.*; the pool has added \d+ threads because of it$", starved.Text);
        Assert.Contains(starved.Evidence, step => step.Text.StartsWith("queued: ", StringComparison.Ordinal) && step.Text.Contains("Starved.StartRescued.lambda", StringComparison.Ordinal));
    }

    [Fact]
    public void Blocking_for_async_work_is_an_error_only_in_a_starved_pool()
    {
        Assert.All(Situation.Look("Situations", "poolResult").Findings, finding => Assert.Equal(Severity.Error, finding.Severity));
        Assert.All(Situation.Look("Situations", "blocked").Findings, finding => Assert.Equal((SyncOverAsync, Severity.Warning), (finding.Rule, finding.Severity)));
    }

    private static void Check(Situation found, string situation, Func<(string Situation, string Rule, string Mark, Confidence Live, Confidence Dump), Confidence> confidence, bool linesAreExact = true)
    {
        var rows = Broken.Where(row => row.Situation == situation).ToArray();
        foreach (var row in rows)
        {
            int line = found.LineOf(row.Mark);
            Finding finding = Assert.Single(found.Findings, finding => finding.Rule == row.Rule
                && (rows.Count(other => other.Rule == row.Rule) == 1 || finding.Evidence.Any(step => step.Line == line)));
            // A pool to which workers are added may have taken nothing for long enough.
            Assert.InRange(finding.Confidence, confidence(row), row.Situation == "poolSleeping" ? Confidence.Certain : confidence(row));
            Assert.NotEmpty(finding.Stacks);
            Assert.Contains(finding.Evidence, step => step.Line == line || !linesAreExact);
        }
        Assert.Equal(rows.Length, found.Findings.Count(finding => finding.Severity > Severity.Info));
    }
}
