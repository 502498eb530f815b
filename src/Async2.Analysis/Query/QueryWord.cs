using System.Buffers;

namespace Async2.Analysis.Query;

/// <summary>A word of a search.</summary>
/// <param name="Name">The text before its colon; null for a word without one.</param>
/// <param name="Value">The rest.</param>
internal sealed record QueryWord(string? Name, string Value)
{
    private const char Quote = '"';

    private static readonly SearchValues<char> OfNames = SearchValues.Create("abcdefghijklmnopqrstuvwxyz-");

    /// <summary>Splits a search at spaces, except between quotation marks.</summary>
    public static IEnumerable<QueryWord> Split(string text)
    {
        for (int i = 0; i < text.Length;)
        {
            if (char.IsWhiteSpace(text[i]))
            {
                i++;
                continue;
            }
            int start = i;
            for (bool isQuoted = false; i < text.Length && (isQuoted || !char.IsWhiteSpace(text[i])); i++)
                isQuoted ^= text[i] == Quote;
            yield return Of(text[start..i]);
        }
    }

    // "Gateway.cs:17" is not a filter: names of filters consist of letters and hyphens.
    private static QueryWord Of(string word)
    {
        int colon = word.IndexOf(':', StringComparison.Ordinal);
        bool isFilter = colon > 0 && word.AsSpan(0, colon).IndexOfAnyExcept(OfNames) < 0 && !word.AsSpan(colon).StartsWith("::", StringComparison.Ordinal);
        return isFilter ? new(word[..colon], Unquoted(word[(colon + 1)..])) : new(null, Unquoted(word));
    }

    private static string Unquoted(string text) => text.Replace("\"", "", StringComparison.Ordinal);
}
