using System.Text.RegularExpressions;

namespace Async2.Analysis.Query;

/// <summary>
/// A regular expression from the user, for names of a target. Both may be hostile, so it is matched in time linear in
/// the text; constructs for which that is impossible (look-around, back-references) are rejected. Case and culture are ignored.
/// </summary>
public sealed class TextPattern
{
    private const int LongestPattern = 1000;
    private const RegexOptions Options = RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.NonBacktracking;
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(2);

    private readonly string _option;
    private readonly Regex _regex;

    private TextPattern(string option, string text, Regex regex) => (_option, Text, _regex) = (option, text, regex);

    /// <summary>The pattern as typed.</summary>
    public string Text { get; }

    /// <summary>Parses a pattern.</summary>
    /// <param name="option">The option, for the message: <c>--method</c>.</param>
    /// <param name="text">The pattern.</param>
    /// <exception cref="QueryException">It is not valid.</exception>
    public static TextPattern Parse(string option, string text)
    {
        if (text.Length is 0 or > LongestPattern)
            throw new QueryException($"{option} needs a pattern of 1 to {LongestPattern} characters", $"type {option} and a part of the name that you look for");
        try
        {
            return new TextPattern(option, text, new Regex(text, Options, Timeout));
        }
        catch (ArgumentException)
        {
            throw new QueryException(
                $"{option} needs a regular expression, but '{text}' is not one", $"type {option} and a part of the name, with \\ before each of . ( ) [ ] * + ? that is meant literally");
        }
        catch (NotSupportedException)
        {
            throw new QueryException(
                $"{option} '{text}' needs look-around, back-references or too much memory, which patterns may not use here", $"type a simpler pattern; --without REGEX leaves out what must not match");
        }
    }

    /// <summary>Whether a part of a text matches; null never matches.</summary>
    /// <exception cref="QueryException">It takes too long.</exception>
    public bool Matches(string? text)
    {
        try
        {
            return text is not null && _regex.IsMatch(text);
        }
        catch (RegexMatchTimeoutException)
        {
            throw new QueryException($"{_option} '{Text}' takes too long on the names of this target", $"type {_option} and a simpler pattern");
        }
    }
}
