using System.Globalization;

namespace Async2.Testing;

/// <summary>Times as command lines of test platforms have them: <c>90s</c>, <c>1.5h</c>, <c>5400000ms</c>; a bare number is minutes for some and milliseconds for others, and is refused.</summary>
internal static class HangTime
{
    private static readonly (string Unit, double Milliseconds)[] Units =
        [("ms", 1), ("msec", 1), ("s", 1000), ("sec", 1000), ("second", 1000), ("seconds", 1000), ("m", 60_000), ("min", 60_000), ("minute", 60_000), ("minutes", 60_000), ("h", 3_600_000), ("hour", 3_600_000), ("hours", 3_600_000)];

    /// <summary>The time; null if it is not one, or not above 0 and below a month.</summary>
    public static TimeSpan? Parse(string text)
    {
        int digits = 0;
        while (digits < text.Length && (char.IsAsciiDigit(text[digits]) || text[digits] == '.'))
            digits++;
        string unit = text[digits..].Trim();
        foreach ((string known, double milliseconds) in Units)
        {
            if (unit == known && double.TryParse(text.AsSpan(0, digits), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number) && number * milliseconds is > 0 and < 2_592_000_000)
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
