using System.Collections.Immutable;
using System.Globalization;

namespace Async2.Analysis.Query;

/// <summary>Makes rows of <see cref="QueryOptionTable"/>: the common parts of values of one kind. Rows without a test select no stacks.</summary>
internal static class QueryRows
{
    private const string Regex = "REGEX", Hex = "HEX", SomeAddress = "0x7f524d80b698", SomeNumber = "7";

    public static QueryOption Pattern(
        string name, string help, string example,
        Func<StackQuery, TextPattern?> get, Func<StackQuery, TextPattern, StackQuery> set, Func<StackTests, TextPattern, Predicate<int>> test, string? searchAlias = null)
        => Row(name, QueryValueKind.Pattern, Regex, help, example, TextPattern.Parse, pattern => pattern.Text, query => One(get(query)), set, test, searchAlias: searchAlias);

    public static QueryOption Patterns(
        string name, string help, string example,
        Func<StackQuery, ImmutableArray<TextPattern>> get, Func<StackQuery, TextPattern, StackQuery> set, Func<StackTests, TextPattern, Predicate<int>> test)
        => Row(name, QueryValueKind.Pattern, Regex, help, example, TextPattern.Parse, pattern => pattern.Text, query => get(query), set, test, repeats: true);

    public static QueryOption Name(
        string name, string valueName, string help, string example,
        Func<StackQuery, string?> get, Func<StackQuery, string, StackQuery> set, Func<StackTests, string, Predicate<int>> test)
        => Row(name, QueryValueKind.Name, valueName, help, example, QueryValue.Name, text => text, query => One(get(query)), set, test);

    public static QueryOption Names(
        string name, string valueName, string help, string example,
        Func<StackQuery, ImmutableArray<string>> get, Func<StackQuery, string, StackQuery> set, Func<StackTests, string, Predicate<int>> test)
        => Row(name, QueryValueKind.Name, valueName, help, example, QueryValue.Name, text => text, query => get(query), set, test, repeats: true);

    public static QueryOption Address(
        string name, string help, Func<StackQuery, ulong?> get, Func<StackQuery, ulong, StackQuery> set, Func<StackTests, ulong, Predicate<int>> test, string? alias = null)
        => Row(name, QueryValueKind.Address, Hex, help, SomeAddress, QueryValue.Address, address => "0x" + address.ToString("x", CultureInfo.InvariantCulture), query => One(get(query)), set, test, alias: alias);

    public static QueryOption Number(
        string name, string valueName, string help, Func<StackQuery, int?> get, Func<StackQuery, int, StackQuery> set, Func<StackTests, int, Predicate<int>>? test = null)
        => Row(name, QueryValueKind.Number, valueName, help, SomeNumber, QueryValue.Number, number => number.ToString(CultureInfo.InvariantCulture), query => One(get(query)), set, test);

    public static QueryOption Grouping(string name, string valueName, string help, Func<StackQuery, GroupKey?> get, Func<StackQuery, GroupKey, StackQuery> set)
        => Row(name, QueryValueKind.Word, valueName, help, QueryValue.WordOf(default(StackGrouping)), GroupKey.Parse, key => key.ToString(), query => One(get(query)), set, words: () => GroupKey.Words);

    public static QueryOption Duration(
        string name, string valueName, string help, string example, Func<StackQuery, TimeSpan?> get, Func<StackQuery, TimeSpan, StackQuery> set, Func<StackTests, TimeSpan, Predicate<int>> test)
        => Row(name, QueryValueKind.Duration, valueName, help, example, QueryValue.Duration, QueryValue.TextOf, query => One(get(query)), set, test);

    public static QueryOption Word<TEnum>(string name, string valueName, string help, Func<StackQuery, TEnum?> get, Func<StackQuery, TEnum, StackQuery> set)
        where TEnum : struct, Enum
        => Row(name, QueryValueKind.Word, valueName, help, QueryValue.WordOf(default(TEnum)), QueryValue.Word<TEnum>, QueryValue.WordOf, query => One(get(query)), set, words: QueryValue.Words<TEnum>);

    public static QueryOption WordList<TEnum>(
        string name, string valueName, string help,
        Func<StackQuery, ImmutableArray<TEnum>> get, Func<StackQuery, ImmutableArray<TEnum>, StackQuery> set, Func<StackTests, ImmutableArray<TEnum>, Predicate<int>> test)
        where TEnum : struct, Enum
        => Row(
            name, QueryValueKind.Words, valueName, help, QueryValue.WordOf(default(TEnum)), (given, text) => QueryValue.WordList<TEnum>(given, [text]),
            values => string.Join(',', values.Select(QueryValue.WordOf)), query => get(query) is { IsDefaultOrEmpty: false } values ? [values] : [], set, test, repeats: true, words: QueryValue.Words<TEnum>);

    private static QueryOption Row<T>(
        string name, QueryValueKind kind, string valueName, string help, string example, Func<string, string, T> parse, Func<T, string> print,
        Func<StackQuery, IEnumerable<T>> get, Func<StackQuery, T, StackQuery> set, Func<StackTests, T, Predicate<int>>? test = null,
        string? alias = null, string? searchAlias = null, bool repeats = false, Func<ImmutableArray<string>>? words = null)
        => new((query, given, text) => set(query, parse(given, text)), query => get(query).Select(print), (query, stacks) => test is null ? [] : get(query).Select(value => test(stacks, value)), words)
        {
            Name = name,
            Kind = kind,
            ValueName = valueName,
            Help = help,
            Example = example,
            Aliases = alias is null ? [] : [alias],
            SearchAliases = searchAlias is null ? [] : [searchAlias],
            Repeats = repeats,
            IsFilter = test is not null,
        };

    private static T[] One<T>(T? value)
        where T : class
        => value is null ? [] : [value];

    private static T[] One<T>(T? value)
        where T : struct
        => value is { } known ? [known] : [];
}
