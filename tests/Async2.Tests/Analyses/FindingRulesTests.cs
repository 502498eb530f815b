using Async2.Analysis.Analyses;
using Async2.Tests.Support;

namespace Async2.Tests.Analyses;

/// <summary>Every rule has a page, which is what --explain and SARIF show; and no page is without a rule.</summary>
public sealed class FindingRulesTests
{
    private static readonly string[] Sections = ["## What it means", "## How it is known", "## What it looks like", "## What to do", "## When it is wrong"];

    public static TheoryData<string> Rules => [.. FindingRules.All];

    [Theory]
    [MemberData(nameof(Rules))]
    public void Each_rule_has_a_page_with_all_sections_and_a_transcript(string rule)
    {
        string page = FindingRules.PageOf(rule)!;
        Assert.NotNull(page);
        Assert.StartsWith($"# {rule}\n", page, StringComparison.Ordinal);
        Assert.Equal(Sections, page.Split('\n').Where(line => line.StartsWith("## ", StringComparison.Ordinal)));
        Assert.Contains($": {rule}  ", page, StringComparison.Ordinal);
        Assert.EndsWith(".", FindingRules.SummaryOf(rule), StringComparison.Ordinal);
    }

    [Fact]
    public void No_page_is_without_a_rule()
        => Assert.Equal(FindingRules.All.Order(StringComparer.Ordinal), Directory.GetFiles(Repository.PathOf("docs", "findings"), "*.md").Select(path => Path.GetFileNameWithoutExtension(path)).Order(StringComparer.Ordinal));

    [Fact]
    public void Each_rule_is_in_the_list_once() => Assert.Equal(FindingRules.All.Distinct(), FindingRules.All);

    [Fact]
    public void A_rule_that_does_not_exist_has_no_page() => Assert.Null(FindingRules.PageOf("nonsense"));
}
