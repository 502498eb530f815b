using System.Globalization;
using Async2.Analysis.Formatting;

namespace Async2.Analysis.Rendering.Text;

/// <summary>Formats numbers and names for people, the same in every culture.</summary>
public static class DisplayText
{
    /// <summary><c>12,345</c>.</summary>
    public static string Number(long number) => number.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary><c>1 stack</c>, <c>12,345 stacks</c>.</summary>
    /// <param name="number">The number.</param>
    /// <param name="noun">The thing, singular.</param>
    /// <param name="plural">Its plural, if it is not formed with an s.</param>
    public static string Count(long number, string noun, string? plural = null)
        => Number(number) + " " + (number == 1 ? noun : plural ?? noun + "s");

    /// <summary><c>250 ms</c>, <c>4.2 s</c>, <c>59 min 57 s</c>, <c>1 h 30 min</c>; truncated.</summary>
    public static string Duration(long milliseconds) => WaitNumbers.Duration(milliseconds);

    /// <summary><c>thread 4</c>; <c>thread 4 and 2 more</c> for a group, which knows only the thread of its first stack.</summary>
    public static string Threads(int first, long count) => $"thread {Number(first)}" + (count > 1 ? $" and {Number(count - 1)} more" : "");

    /// <summary><c>0x7f2a0010c8</c>.</summary>
    public static string Hex(ulong address) => "0x" + address.ToString("x", CultureInfo.InvariantCulture);

    /// <summary>The name of an enum member in JSON: <c>state-machine</c>.</summary>
    public static string Of<TEnum>(TEnum value)
        where TEnum : struct, Enum
        => System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(value.ToString());

    /// <summary>A text up to its first comma outside brackets: the thing, without its details.</summary>
    public static string Head(string text)
    {
        int depth = 0;
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            if (c is '<' or '(' or '[')
                depth++;
            else if (c is '>' or ')' or ']')
                depth--;
            else if (c == ',' && depth <= 0)
                return text[..i];
        }
        return text;
    }
}
