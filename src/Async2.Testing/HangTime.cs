using System.Globalization;

namespace Async2.Testing;

/// <summary>Times as command lines of test platforms have them: <c>90s</c>, <c>1.5h</c>, <c>5400000ms</c>. A bare number is minutes for some and milliseconds for others.</summary>
internal static class HangTime
{
    // A month: what is longer is a mistake.
    private const double Most = 2_592_000_000;

    // TimeSpanParser of Microsoft.Testing.Platform 2.5.2.
    private static readonly (string Unit, double Milliseconds)[] Units =
    [
        ("ms", 1), ("msec", 1), ("mil", 1), ("mils", 1), ("millisecond", 1), ("milliseconds", 1), ("s", 1000), ("sec", 1000), ("secs", 1000), ("second", 1000), ("seconds", 1000),
        ("m", 60_000), ("min", 60_000), ("mins", 60_000), ("minute", 60_000), ("minutes", 60_000), ("h", 3_600_000), ("hour", 3_600_000), ("hours", 3_600_000),
        ("d", 86_400_000), ("day", 86_400_000), ("days", 86_400_000),
    ];

    private const double ShareOfDump = 0.6;
    private static readonly TimeSpan Usual = TimeSpan.FromMinutes(5);

    /// <summary>How long a test may take where nobody says it.</summary>
    /// <param name="dump">When the platform writes a dump of a hang: stacks come before that. Null if it writes none.</param>
    public static TimeSpan LimitBefore(TimeSpan? dump) => dump * ShareOfDump ?? Usual;

    /// <summary>The time; null if it is not one, or not above 0 and below a month.</summary>
    /// <param name="text">As it was typed.</param>
    /// <param name="bareUnit">Unit of a bare number; null refuses it.</param>
    public static TimeSpan? Parse(string text, string? bareUnit = null)
    {
        text = text.Trim();
        int digits = 0;
        while (digits < text.Length && (char.IsAsciiDigit(text[digits]) || text[digits] == '.'))
            digits++;
        string unit = text[digits..].Trim() is { Length: > 0 } given ? given : bareUnit ?? "";
        foreach ((string known, double milliseconds) in Units)
        {
            if (unit.Equals(known, StringComparison.OrdinalIgnoreCase) && double.TryParse(text.AsSpan(0, digits), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number)
                && number * milliseconds is > 0 and < Most)
                return TimeSpan.FromMilliseconds(number * milliseconds);
        }
        return null;
    }

    /// <summary><c>5 min 3 s</c>.</summary>
    public static string TextOf(TimeSpan time) => time switch
    {
        { TotalSeconds: < 10 } => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.#} s"),
        { TotalMinutes: < 1 } => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0} s"),
        { TotalHours: < 1, Seconds: 0 } => string.Create(CultureInfo.InvariantCulture, $"{time.Minutes} min"),
        { TotalHours: < 1 } => string.Create(CultureInfo.InvariantCulture, $"{time.Minutes} min {time.Seconds} s"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{(int)time.TotalHours} h {time.Minutes} min"),
    };
}
