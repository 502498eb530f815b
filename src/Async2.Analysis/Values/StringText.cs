using System.Globalization;
using System.Text;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Values;

/// <summary>Strings and characters of the target as C# literals: nothing in them can move a cursor or hide text.</summary>
internal static class StringText
{
    /// <summary>Characters that are shown of a string.</summary>
    public const int Shown = 100;

    /// <param name="text">The string, or its beginning.</param>
    /// <param name="isCut">There is more of it.</param>
    public static string Quote(ReadOnlySpan<char> text, bool isCut = false)
    {
        // A pair is not cut in two.
        if (isCut && text.Length > 0 && char.IsHighSurrogate(text[^1]))
            text = text[..^1];
        var quoted = new StringBuilder(text.Length + 3).Append('"');
        for (int i = 0; i < text.Length; i++)
        {
            if (i + 1 < text.Length && char.IsSurrogatePair(text[i], text[i + 1]) && IsVisible(char.ConvertToUtf32(text[i], text[i + 1])))
                quoted.Append(text[i]).Append(text[++i]);
            else
                Append(quoted, text[i], '"');
        }
        return quoted.Append('"').Append(isCut ? CappedText.CutMark : "").ToString();
    }

    public static string Quote(char c)
    {
        var quoted = new StringBuilder("'");
        Append(quoted, c, '\'');
        return quoted.Append('\'').ToString();
    }

    private static void Append(StringBuilder text, char c, char quote)
    {
        string? escape = c switch
        {
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\0' => "\\0",
            _ => null,
        };
        if (escape is not null)
            text.Append(escape);
        else if (c == quote)
            text.Append('\\').Append(c);
        else if (IsVisible(c))
            text.Append(c);
        else
            text.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
    }

    // Format characters turn the direction of text around; private ones and those of no character show as anything.
    private static bool IsVisible(int character) => CharUnicodeInfo.GetUnicodeCategory(character)
        is not (UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.Surrogate or UnicodeCategory.PrivateUse
            or UnicodeCategory.OtherNotAssigned or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator);
}
