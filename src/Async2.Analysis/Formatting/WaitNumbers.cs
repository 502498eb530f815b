using System.Globalization;
using Async2.Analysis.Model;

namespace Async2.Analysis.Formatting;

/// <summary>Formats numbers of a wait reason: short, invariant, the same on every machine.</summary>
internal static class WaitNumbers
{
    private const long Second = 1000;
    private const long Minute = 60 * Second;
    private const long Hour = 60 * Minute;
    private const long Day = 24 * Hour;

    /// <summary><c>1 item</c>, <c>3 items</c>.</summary>
    public static string Count(long count, string one, string? many = null)
        => string.Create(CultureInfo.InvariantCulture, $"{count} {(count == 1 ? one : many ?? one + "s")}");

    /// <summary><c>Task.Delay</c>, <c>3 x Task.Delay</c>.</summary>
    public static string Times(long count, string name) => count == 1 ? name : string.Create(CultureInfo.InvariantCulture, $"{count} x {name}");

    /// <summary><c>1st</c>, <c>2nd</c>, <c>11th</c>.</summary>
    public static string Ordinal(long number)
    {
        string ending = (number % 100) is >= 11 and <= 13 ? "th" : (number % 10) switch { 1 => "st", 2 => "nd", 3 => "rd", _ => "th" };
        return string.Create(CultureInfo.InvariantCulture, $"{number}{ending}");
    }

    /// <summary><c>250 ms</c>, <c>4.2 s</c>, <c>59 min 57 s</c>, <c>1 h 30 min</c>, <c>4 d 4 h</c>; at most two units, truncated.</summary>
    public static string Duration(long milliseconds) => milliseconds switch
    {
        < Second => string.Create(CultureInfo.InvariantCulture, $"{Math.Max(0, milliseconds)} ms"),
        < 2 * Minute => string.Create(CultureInfo.InvariantCulture, $"{milliseconds / 100 / 10m:0.#} s"),
        < 2 * Hour => TwoUnits(milliseconds, Minute, "min", Second, "s"),
        < 2 * Day => TwoUnits(milliseconds, Hour, "h", Minute, "min"),
        _ => TwoUnits(milliseconds, Day, "d", Hour, "h"),
    };

    /// <summary>Ids of threads: <c>3, 4</c>, <c>3, 4, 5, 6, 7 and more</c>.</summary>
    public static string Ids(ReadOnlySpan<WaitFact> threads, int most)
    {
        string text = "";
        for (int i = 0; i < threads.Length && i < most; i++)
            text += string.Create(CultureInfo.InvariantCulture, $"{(i == 0 ? "" : ", ")}{threads[i].Number}");
        return threads.Length > most ? text + " and more" : text;
    }

    /// <summary>The parts that are not null, with commas; null if all are.</summary>
    public static string? Join(params ReadOnlySpan<string?> parts)
    {
        string joined = "";
        foreach (string? part in parts)
            joined += part is null ? "" : joined.Length == 0 ? part : ", " + part;
        return joined.Length == 0 ? null : joined;
    }

    private static string TwoUnits(long milliseconds, long big, string bigName, long small, string smallName)
    {
        long rest = milliseconds % big / small;
        return rest == 0
            ? string.Create(CultureInfo.InvariantCulture, $"{milliseconds / big} {bigName}")
            : string.Create(CultureInfo.InvariantCulture, $"{milliseconds / big} {bigName} {rest} {smallName}");
    }
}
