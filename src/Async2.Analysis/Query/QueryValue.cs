using System.Collections.Immutable;
using System.Globalization;
using System.Text.Json;

namespace Async2.Analysis.Query;

/// <summary>Parses values of a <see cref="StackQuery"/>. Each error names the option and says what to type.</summary>
public static class QueryValue
{
    // A year; nothing is asked that is older than a process.
    private const double MostSeconds = 366.0 * 24 * 3600;

    /// <summary>All words that <see cref="Word"/> accepts for a kind: <c>method</c>, <c>waiting-on</c>, ...</summary>
    public static ImmutableArray<string> Words<TEnum>()
        where TEnum : struct, Enum
        => [.. Enum.GetNames<TEnum>().Select(JsonNamingPolicy.KebabCaseLower.ConvertName)];

    /// <summary>The word that <see cref="Word"/> parses as this value.</summary>
    public static string WordOf<TEnum>(TEnum value)
        where TEnum : struct, Enum
        => JsonNamingPolicy.KebabCaseLower.ConvertName(value.ToString());

    /// <summary>One of a set of words, ignoring case.</summary>
    /// <exception cref="QueryException">It is not one of them.</exception>
    public static TEnum Word<TEnum>(string option, string text)
        where TEnum : struct, Enum
    {
        ImmutableArray<string> words = Words<TEnum>();
        int index = words.IndexOf(text.Trim(), StringComparer.OrdinalIgnoreCase);
        return index >= 0 ? Enum.GetValues<TEnum>()[index]
            : throw new QueryException($"{option} does not accept '{text}'", $"type {option} and one of {string.Join(", ", words)}");
    }

    /// <summary>Words given one by one or separated by commas.</summary>
    /// <exception cref="QueryException">One is unknown.</exception>
    public static ImmutableArray<TEnum> WordList<TEnum>(string option, IEnumerable<string> texts)
        where TEnum : struct, Enum
        => [.. texts.SelectMany(text => text.Split(',')).Select(word => Word<TEnum>(option, word)).Distinct().Order()];

    /// <summary>A name that is not empty.</summary>
    /// <exception cref="QueryException">It is empty.</exception>
    public static string Name(string option, string text) => text.Trim() is { Length: > 0 } name
        ? name
        : throw new QueryException($"{option} needs a name", $"type {option} and the name, Shop.dll or Shop");

    /// <summary>A whole number above 0.</summary>
    /// <exception cref="QueryException">It is not.</exception>
    public static int Number(string option, string text)
        => int.TryParse(text.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number > 0
            ? number
            : throw new QueryException($"{option} needs a number above 0, not '{text}'", $"type {option} 20");

    /// <summary>A length of time above 0: <c>500ms</c>, <c>30s</c>, <c>2m</c>, <c>1h</c>, or seconds.</summary>
    /// <exception cref="QueryException">It is not.</exception>
    public static TimeSpan Duration(string option, string text)
    {
        (string digits, double seconds) = text.Trim() switch
        {
            [.. string ms, 'm', 's'] => (ms, 0.001),
            [.. string s, 's'] => (s, 1),
            [.. string m, 'm'] => (m, 60),
            [.. string h, 'h'] => (h, 3600),
            var number => (number, 1),
        };
        return double.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value) && value * seconds is > 0 and <= MostSeconds
            ? TimeSpan.FromMilliseconds(Math.Ceiling(value * seconds * 1000))
            : throw new QueryException($"{option}: '{text}' is not a time", $"type for example {option} 30s, 500ms, 2m or 1h");
    }

    /// <summary>A length of time as <see cref="Duration"/> reads it: <c>30s</c>, <c>1500ms</c>.</summary>
    public static string TextOf(TimeSpan time)
    {
        long ms = (long)time.TotalMilliseconds;
        return ms % 1000 == 0 ? string.Create(CultureInfo.InvariantCulture, $"{ms / 1000}s") : string.Create(CultureInfo.InvariantCulture, $"{ms}ms");
    }

    /// <summary>An address in hex, with or without <c>0x</c>; a debugger's <c>`</c> in the middle is allowed.</summary>
    /// <exception cref="QueryException">It is not an address.</exception>
    public static ulong Address(string option, string text)
    {
        string digits = text.Trim().Replace("`", "", StringComparison.Ordinal);
        if (digits.StartsWith("0x", StringComparison.OrdinalIgnoreCase))
            digits = digits[2..];
        return ulong.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong address) && address != 0
            ? address
            : throw new QueryException($"{option} needs an address in hex, not '{text}'", $"type {option} 0x7f2a0010c8, as an earlier answer shows it");
    }
}
