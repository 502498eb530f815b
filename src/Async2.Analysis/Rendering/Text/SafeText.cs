using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Async2.Analysis.Rendering.Text;

/// <summary>
/// Makes text from a target harmless for a terminal. Names and strings of a target can contain anything: escape sequences that
/// repaint the screen, newlines that forge lines of output, bidi marks that reorder it. This is the only place that decides
/// what is harmless; escaping twice changes nothing.
/// </summary>
public static class SafeText
{
    /// <summary>Replacement for omitted parts of long names; the one character with a common ASCII spelling.</summary>
    private const int Ellipsis = 0x2026;

    private static readonly SearchValues<char> PrintableAscii =
        SearchValues.Create(string.Concat(Enumerable.Range(0x20, 0x5f).Select(c => (char)c)));

    /// <summary>Index of the first character that is not plain ASCII text, or -1.</summary>
    public static int FirstUnusual(ReadOnlySpan<char> text) => text.IndexOfAnyExcept(PrintableAscii);

    /// <summary>Whether a character could change more than its own place on the screen.</summary>
    public static bool IsHostile(Rune rune) => Rune.GetUnicodeCategory(rune) is UnicodeCategory.Control
        or UnicodeCategory.Format
        or UnicodeCategory.LineSeparator
        or UnicodeCategory.ParagraphSeparator
        or UnicodeCategory.PrivateUse
        or UnicodeCategory.Surrogate;

    /// <summary>Replaces hostile characters, and in ASCII mode all others above U+007F, by <c>\uXXXX</c>.</summary>
    [return: NotNullIfNotNull(nameof(text))]
    public static string? Escape(string? text, bool ascii = false)
    {
        if (text is null)
            return null;
        int unusual = FirstUnusual(text);
        if (unusual < 0)
            return text;
        var safe = new StringBuilder(text, 0, unusual, text.Length + 16);
        for (int i = unusual; i < text.Length;)
        {
            // A lone surrogate is decoded as an error with the replacement character; its own number is shown.
            bool whole = Rune.DecodeFromUtf16(text.AsSpan(i), out Rune rune, out int length) == OperationStatus.Done;
            int value = whole ? rune.Value : text[i];
            if (ascii && value == Ellipsis)
                safe.Append("...");
            else if (!whole || IsHostile(rune) || (ascii && !rune.IsAscii))
                AppendEscape(safe, value);
            else
                safe.Append(text, i, length);
            i += length;
        }
        return safe.ToString();
    }

    private static void AppendEscape(StringBuilder safe, int value)
        => safe.Append(value > 0xffff ? "\\U" : "\\u").Append(value.ToString(value > 0xffff ? "x8" : "x4", CultureInfo.InvariantCulture));
}
