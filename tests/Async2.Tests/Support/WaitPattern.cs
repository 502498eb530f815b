using System.Text.RegularExpressions;

namespace Async2.Tests.Support;

/// <summary>The recorded <c>wait</c> of a scenario: text in which <c>{time}</c> and <c>{number}</c> stand for what varies.</summary>
internal static class WaitPattern
{
    private static readonly (string Placeholder, string Pattern)[] Placeholders =
    [
        (@"\{time}", @"(at most )?\d+(\.\d)? (ms|s|min|h|d)( \d+ (s|min|h))?"),
        (@"\{number}", @"\d+"),
        (@"\{address}", "[0-9a-f]+"),
    ];

    public static bool Fits(string recorded, string text)
    {
        string pattern = Regex.Escape(recorded);
        foreach ((string placeholder, string meaning) in Placeholders)
            pattern = pattern.Replace(placeholder, meaning, StringComparison.Ordinal);
        return Regex.IsMatch(text, $"^{pattern}$");
    }
}
