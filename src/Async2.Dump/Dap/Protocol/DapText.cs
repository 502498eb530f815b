using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Dap.Protocol;

/// <summary>
/// Text from a target for display in a client: escaped, because it can contain control sequences, and cut,
/// because a name of a megabyte freezes the client.
/// </summary>
internal static class DapText
{
    private const int LongestName = 1000;
    private const int LongestText = 20_000;
    private const int LongestAnswer = 200_000;

    /// <summary>A name, or a line of a list.</summary>
    public static string Name(string text) => SafeText.Escape(Cut(text, LongestName));

    /// <summary>A value or a sentence.</summary>
    public static string Long(string text) => SafeText.Escape(Cut(text, LongestText));

    /// <summary>Lines that are already escaped, each cut like a name, and no more of them than a console shows.</summary>
    public static string Lines(string text)
        => Cut(string.Join('\n', text.Split('\n').Select(line => Cut(line, LongestName))), LongestAnswer);

    private static string Cut(string text, int length) => text.Length <= length ? text : string.Concat(text.AsSpan(0, length), "\u2026");
}
