namespace Async2.Tests.Integration.Findings;

/// <summary>What is wrong is found, in runtime-async: see <see cref="FindingTable"/>.</summary>
[Trait("Category", "Integration")]
public sealed class FindingTests
{
    public static TheoryData<string> Situations => FindingTable.Wrong;

    [Theory]
    [MemberData(nameof(Situations))]
    public void What_is_wrong_is_found_and_nothing_else(string situation) => FindingTable.LookAt(situation, isClassic: false);

    /// <summary>Optimised code has calls of others in it: a thread that waits for a result is in a method that takes a time limit, which nobody gave.</summary>
    [Theory]
    [InlineData("posted", false)]
    [InlineData("posted", true)]
    [InlineData("exclusive", false)]
    [InlineData("exclusive", true)]
    public void Optimised_code_makes_no_difference(string situation, bool isClassic) => FindingTable.LookAt(situation, isClassic, ("DOTNET_TieredCompilation", "0"));

    [Fact]
    public void Each_expected_situation_exists() => Assert.Empty(FindingTable.Unknown);
}
