namespace Async2.Tests.Integration.Findings;

/// <summary>What is wrong is found, in state machines: see <see cref="FindingTable"/>.</summary>
[Trait("Category", "Integration")]
public sealed class ClassicFindingTests
{
    public static TheoryData<string> Situations => FindingTable.Wrong;

    [Theory]
    [MemberData(nameof(Situations))]
    public void What_is_wrong_is_found_and_nothing_else(string situation) => FindingTable.LookAt(situation, isClassic: true);
}
