using System.Diagnostics;
using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Tests.Query;

/// <summary>What a user may type as a value of a query, and what is said about the rest.</summary>
public sealed class QueryTests
{
    [Theory]
    [InlineData("(a+")]
    [InlineData("[z-a]")]
    [InlineData("*")]
    [InlineData("(?=look)")]
    [InlineData("(a)\\1")]
    [InlineData("")]
    public void The_error_for_an_invalid_pattern_names_the_option(string pattern)
    {
        var wrong = Assert.Throws<QueryException>(() => TextPattern.Parse("--with", pattern));
        Assert.StartsWith("--with ", wrong.Message);
        Assert.StartsWith("type ", wrong.Fix);
    }

    [Fact]
    public void A_pattern_has_a_maximum_length() => Assert.Throws<QueryException>(() => TextPattern.Parse("--with", new string('a', 1001)));

    [Theory]
    [InlineData("(a+)+$")]
    [InlineData("(a|aa)+$")]
    [InlineData("(.*a){20}$")]
    [InlineData("((a{30}){30}){30}$")]
    public void A_pattern_with_exponential_backtracking_ends_soon(string pattern)
    {
        var watch = Stopwatch.StartNew();
        Assert.False(MatchesOrIsRefused(pattern, new string('a', 5000) + "!"));
        Assert.True(watch.Elapsed < TimeSpan.FromSeconds(20), $"{watch.Elapsed}");
    }

    private static bool MatchesOrIsRefused(string pattern, string text)
    {
        try
        {
            return TextPattern.Parse("--with", pattern).Matches(text);
        }
        catch (QueryException)
        {
            return false;
        }
    }

    [Theory]
    [InlineData("pay", "Shop.PayAsync(int)", true)]
    [InlineData("PAY.*INT", "Shop.PayAsync(int)", true)]
    [InlineData("^Pay", "Shop.PayAsync(int)", false)]
    [InlineData("\u0131", "I", false)]
    [InlineData("a", null, false)]
    public void Case_does_not_matter_and_a_part_is_enough(string pattern, string? text, bool matches)
        => Assert.Equal(matches, TextPattern.Parse("--with", pattern).Matches(text));

    [Theory]
    [InlineData("0x7f2a", 0x7f2a)]
    [InlineData("7F2A", 0x7f2a)]
    [InlineData(" 00007ff8`1234abcd ", 0x7ff81234abcd)]
    public void Addresses(string text, long address) => Assert.Equal((ulong)address, QueryValue.Address("--task", text));

    [Theory]
    [InlineData("")]
    [InlineData("0")]
    [InlineData("0x")]
    [InlineData("xyz")]
    [InlineData("-1")]
    [InlineData("0x10000000000000000")]
    public void Text_that_is_not_an_address(string text)
        => Assert.Contains("--task", Assert.Throws<QueryException>(() => QueryValue.Address("--task", text)).Message);

    [Fact]
    public void Words_may_be_listed_or_repeated()
    {
        Assert.Equal([StackState.Awaiting, StackState.Blocked], QueryValue.WordList<StackState>("--state", ["Blocked", "awaiting,blocked"]));
        Assert.Equal(StackGrouping.WaitingOn, QueryValue.Word<StackGrouping>("--group-by", "waiting-on"));
        Assert.Contains("waiting-on", Assert.Throws<QueryException>(() => QueryValue.Word<StackGrouping>("--group-by", "wait")).Fix);
        Assert.Throws<QueryException>(() => QueryValue.WordList<StackState>("--state", ["awaiting,"]));
        Assert.Throws<QueryException>(() => QueryValue.Word<StackState>("--state", "1"));
    }

    [Fact]
    public void The_filters_are_printed_as_typed()
    {
        var query = new StackQuery
        {
            Method = TextPattern.Parse("--method", "it's (a|b)"),
            States = [StackState.Active, StackState.Blocked],
            With = [TextPattern.Parse("--with", "Pay")],
            Without = [TextPattern.Parse("--without", "$HOME")],
            Task = 0x7f,
            Thread = 3,
            Limit = 5,
        };
        Assert.Equal(@"--method 'it'\''s (a|b)' --state active,blocked --with Pay --without '$HOME' --task 0x7f --thread 3", query.FilterText);
        Assert.False(new StackQuery { Limit = 5, GroupBy = StackGrouping.Leaf }.IsFilter);
    }
}
