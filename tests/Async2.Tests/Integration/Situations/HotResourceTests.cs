using Async2.Analysis.Model;

namespace Async2.Tests.Integration.Situations;

/// <summary>What holds many up is named with who holds it, and what many wait for because there is nothing to do is not: both builds, live and from a dump.</summary>
[Trait("Category", "Integration")]
public sealed class HotResourceTests
{
    private static readonly string[] Builds = ["Situations", "Situations.Classic"];

    public static TheoryData<string> Both => new(Builds);

    public static TheoryData<string, string> HealthyOnes => new(from build in Builds from name in (string[])["hotMoving", "hotSignal", "hotIdle", "hotPressure"] select (build, name));

    [Theory]
    [MemberData(nameof(Both))]
    public void A_semaphore_that_holds_many_up_is_named_with_its_holder(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "hotTill"))
        {
            Finding finding = Assert.Single(found.Findings, finding => finding.Severity > Severity.Info);
            int charge = found.LineOf("charge"), pay = found.LineOf("pay");
            Assert.Equal(("hot-resource", Severity.Warning, Confidence.Likely, 40), (finding.Rule, finding.Severity, finding.Confidence, finding.Blocked));
            Assert.Equal($"40 stacks of 41 that wait, wait for `Hot.Till`; held by Hot.ChargeAsync (Hot.cs:{charge}), which waits for TaskCompletionSource<int>", finding.Text);
            Assert.Equal([charge, pay], finding.Evidence.Select(step => step.Line ?? 0));
            // The one that holds it, and all that want it.
            Assert.Equal(1 + 40, finding.Stacks.Length);
        }
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void Permits_whose_holders_all_wait_for_the_same_are_an_exhausted_pool(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "hotDoors"))
        {
            Finding finding = Assert.Single(found.Findings, finding => finding.Severity > Severity.Info);
            Assert.Equal(("exhausted-pool", Severity.Warning, Confidence.Likely, 8), (finding.Rule, finding.Severity, finding.Confidence, finding.Blocked));
            Assert.StartsWith("all 3 permits of `Hot.Doors` are held by stacks that wait for the same, ", finding.Text, StringComparison.Ordinal);
            Assert.Equal([found.LineOf("inside"), found.LineOf("door")], finding.Evidence.Select(step => step.Line ?? 0));
        }
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void A_task_that_many_await_is_worth_knowing_and_no_more(string build)
    {
        Finding finding = Assert.Single(Situation.Look(build, "hotMenu").Findings);
        Assert.Equal(("hot-resource", Severity.Info), (finding.Rule, finding.Severity));
        Assert.Matches(@"^40 stacks of 40 that wait, wait for Hot\.LoadAsync \(Hot\.cs:\d+\); it waits for TaskCompletionSource<int>$", finding.Text);
    }

    [Theory]
    [MemberData(nameof(HealthyOnes))]
    public void A_healthy_twin_is_not_accused(string build, string situation)
    {
        foreach (Situation found in Situation.LookTwice(build, situation))
        {
            Assert.NotEmpty(found.Stacks);
            Assert.Empty(found.Findings.Where(finding => finding.Severity > Severity.Info || finding.Rule == "hot-resource").Select(finding => finding.Text));
        }
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void Waits_for_other_programs_have_their_ends(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "outside"))
        {
            Assert.All(found.Findings, finding => Assert.Equal(("slow-dependency", Severity.Info, Confidence.Certain), (finding.Rule, finding.Severity, finding.Confidence)));
            // Who waits for clients depends on nobody.
            Assert.Equal(3, found.Findings.Length);
            Assert.Matches($@"^3 stacks wait for \[?[0-9a-f:.]*127\.0\.0\.1\]?:{found.Truth.Marks!["port"]} to send something$", found.Findings[0].Text);
            Assert.Matches($@"^2 stacks wait for \[?[0-9a-f:.]*127\.0\.0\.1\]?:{found.Truth.Marks["any port"]} to send something$", found.Findings[1].Text);
            Assert.Equal($"1 stack waits for process {found.Truth.Marks["process"]} to end", found.Findings[2].Text);
        }
    }
}
