namespace Async2.Tests.Integration.Findings;

/// <summary>Where nothing is wrong, nothing is found: see <see cref="FindingTable"/>.</summary>
[Trait("Category", "Integration")]
public sealed class NoFindingTests
{
    public static TheoryData<string> Situations => FindingTable.Others;

    public static TheoryData<string> Twins => FindingTable.Alike;

    [Theory]
    [MemberData(nameof(Situations))]
    public void Nothing_is_found(string situation) => FindingTable.LookAt(situation, isClassic: false);

    [Theory]
    [MemberData(nameof(Twins))]
    public void Nothing_is_found_in_state_machines(string situation) => FindingTable.LookAt(situation, isClassic: true);
}
