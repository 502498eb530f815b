using System.Globalization;
using System.Text;

namespace Async2.Analysis.Rendering.Text;

/// <summary>How many columns of a terminal a text takes: East Asian characters take two, combining marks none.</summary>
public static class TextColumns
{
    /// <summary>Columns of text that <see cref="SafeText"/> has escaped.</summary>
    public static int Of(string text)
    {
        if (SafeText.FirstUnusual(text) < 0)
            return text.Length;
        int columns = 0;
        foreach (Rune rune in text.EnumerateRunes())
            columns += Of(rune);
        return columns;
    }

    /// <summary>The longest start of a text that fits.</summary>
    public static string Cut(string text, int columns)
    {
        int used = 0, length = 0;
        foreach (Rune rune in text.EnumerateRunes())
        {
            used += Of(rune);
            if (used > columns)
                break;
            length += rune.Utf16SequenceLength;
        }
        return text[..length];
    }

    private static int Of(Rune rune)
    {
        if (rune.Value < 0x300)
            return 1;
        if (Rune.GetUnicodeCategory(rune) is UnicodeCategory.NonSpacingMark or UnicodeCategory.EnclosingMark)
            return 0;
        return IsWide(rune.Value) ? 2 : 1;
    }

    // The blocks of Unicode's EastAsianWidth.txt marked W or F, coarsely: a wrong guess only affects alignment.
    private static bool IsWide(int value) => value is (>= 0x1100 and <= 0x115f) or (>= 0x2e80 and <= 0xa4cf)
        or (>= 0xac00 and <= 0xd7a3) or (>= 0xf900 and <= 0xfaff) or (>= 0xfe30 and <= 0xfe6f)
        or (>= 0xff00 and <= 0xff60) or (>= 0xffe0 and <= 0xffe6) or (>= 0x1f300 and <= 0x1faff) or (>= 0x20000 and <= 0x3fffd);
}
