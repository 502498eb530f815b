using System.Collections.Immutable;
using System.Globalization;

namespace Async2.Analysis.Query;

/// <summary>Makes rows of <see cref="QueryOptionTable"/>: what values of one kind have in common stands here once.</summary>
internal static class QueryRows
{
    private const string Regex = "REGEX", Hex = "HEX", SomeAddress = "0x7f524d80b698", SomeNumber = "7";

    public static QueryOption Pattern(
        string name, string help, string example, Func<StackQuery, TextPattern?> get, Func<StackQuery, TextPattern, StackQuery> set, string? searchAlias = null)
        => new(name, QueryValueKind.Pattern, NoWords, (query, given, text) => set(query, TextPattern.Parse(given, text)), query => One(get(query)?.Text))
        {
            ValueName = Regex, Help = help, Example = example, SearchAliases = searchAlias is null ? [] : [searchAlias],
        };

    public static QueryOption Patterns(
        string name, string help, string example, Func<StackQuery, ImmutableArray<TextPattern>> get, Func<StackQuery, ImmutableArray<TextPattern>, StackQuery> set)
        => new(name, QueryValueKind.Pattern, NoWords, (query, given, text) => set(query, get(query).Add(TextPattern.Parse(given, text))), query => get(query).Select(pattern => pattern.Text))
        {
            ValueName = Regex, Help = help, Example = example, Repeats = true,
        };

    public static QueryOption Name(
        string name, string valueName, string help, string example, Func<StackQuery, string?> get, Func<StackQuery, string, StackQuery> set)
        => new(name, QueryValueKind.Name, NoWords, (query, given, text) => set(query, QueryValue.Name(given, text)), query => One(get(query)))
        {
            ValueName = valueName, Help = help, Example = example,
        };

    public static QueryOption Address(string name, string help, Func<StackQuery, ulong?> get, Func<StackQuery, ulong, StackQuery> set, string? alias = null)
        => new(name, QueryValueKind.Address, NoWords, (query, given, text) => set(query, QueryValue.Address(given, text)), query => One(get(query)?.ToString("x", CultureInfo.InvariantCulture) is { } digits ? "0x" + digits : null))
        {
            ValueName = Hex, Help = help, Example = SomeAddress, Aliases = alias is null ? [] : [alias],
        };

    public static QueryOption Number(
        string name, string valueName, string help, Func<StackQuery, int?> get, Func<StackQuery, int, StackQuery> set, bool isFilter = true)
        => new(name, QueryValueKind.Number, NoWords, (query, given, text) => set(query, QueryValue.Number(given, text)), query => One(get(query)?.ToString(CultureInfo.InvariantCulture)))
        {
            ValueName = valueName, Help = help, Example = SomeNumber, IsFilter = isFilter,
        };

    /// <summary>Chooses no stacks, but how they are shown.</summary>
    public static QueryOption Word<TEnum>(string name, string valueName, string help, Func<StackQuery, TEnum?> get, Func<StackQuery, TEnum, StackQuery> set)
        where TEnum : struct, Enum
        => new(name, QueryValueKind.Word, QueryValue.Words<TEnum>, (query, given, text) => set(query, QueryValue.Word<TEnum>(given, text)), query => One(get(query) is { } value ? QueryValue.WordOf(value) : null))
        {
            ValueName = valueName, Help = help, Example = QueryValue.WordOf(default(TEnum)), IsFilter = false,
        };

    public static QueryOption WordList<TEnum>(
        string name, string valueName, string help, Func<StackQuery, ImmutableArray<TEnum>> get, Func<StackQuery, ImmutableArray<TEnum>, StackQuery> set)
        where TEnum : struct, Enum
        => new(
            name, QueryValueKind.Words, QueryValue.Words<TEnum>, (query, given, text) => set(query, QueryValue.WordList<TEnum>(given, [text])),
            query => get(query).IsDefaultOrEmpty ? [] : One(string.Join(',', get(query).Select(QueryValue.WordOf))))
        {
            ValueName = valueName, Help = help, Example = QueryValue.WordOf(default(TEnum)), Repeats = true,
        };

    private static ImmutableArray<string> NoWords() => [];

    private static string[] One(string? text) => text is null ? [] : [text];
}
