using System.Text.Json;
using System.Text.Json.Nodes;

namespace Async2.Dump.Agents;

/// <summary>
/// What an answer may cost. Tokens are counted as a third of the characters, text and JSON together: tokenizers need about a quarter for prose and a
/// third for JSON full of names. They are counted as they are sent, with the escapes of JSON.
/// </summary>
/// <param name="tokens">The most that the whole answer may have.</param>
internal sealed class TokenBudget(int tokens)
{
    public const int Usual = 4000;
    public const int Least = 500;
    public const int Most = 50_000;
    private const int CharactersPerToken = 3;

    // Names of the fields that say what is left, commas and brackets.
    private const int Reserve = 200;

    // \uXXXX.
    private const int LongestEscape = 6;

    private int _left = (tokens * CharactersPerToken) - Reserve;

    /// <summary>Counts what is in the answer in any case.</summary>
    public void Spend(string text) => _left -= text.Length;

    /// <summary>Counts what is in the answer in any case.</summary>
    public void Spend(JsonNode node) => _left -= Cost(node);

    /// <summary>How many characters of a text fit, from a place on.</summary>
    public int Fit(string text, int start)
    {
        int count = Math.Min(text.Length - start, Left);
        while (count > 0 && JsonEncodedText.Encode(text.AsSpan(start, count)).EncodedUtf8Bytes.Length is var sent && sent > Left)
            count -= Math.Max(1, (sent - Left) / LongestEscape);
        return count;
    }

    /// <summary>Adds to a list while it fits.</summary>
    /// <param name="list">Where they go.</param>
    /// <param name="items">What there is.</param>
    /// <param name="share">The part of what is left that they may have.</param>
    /// <returns>How many fitted.</returns>
    public int Fill(JsonArray list, IEnumerable<JsonNode> items, double share = 1)
    {
        int limit = (int)(Left * share), count = 0;
        foreach (JsonNode item in items)
        {
            int cost = Cost(item);
            if (cost > limit)
                break;
            (limit, _left) = (limit - cost, _left - cost);
            list.Add(item);
            count++;
        }
        return count;
    }

    private int Left => Math.Max(0, _left);

    private static int Cost(JsonNode node) => node.ToJsonString().Length + 1;
}
