using System.Text;

namespace Async2.Analysis.Rendering.Text;

/// <summary>Shorter forms of the type arguments in a C# name: <c>Map&lt;Shop.Key, Shop.Order&gt;</c>.</summary>
internal static class TypeArgumentText
{
    /// <summary>Without their namespaces: <c>Map&lt;Key, Order&gt;</c>.</summary>
    public static string Simple(string text)
    {
        var result = new StringBuilder(text.Length);
        int depth = 0, word = 0;
        foreach (char c in text)
        {
            if (depth > 0 && c == '.')
            {
                result.Length = word;
                continue;
            }
            result.Append(c);
            depth += c == '<' ? 1 : c == '>' ? -1 : 0;
            if (!char.IsLetterOrDigit(c) && c != '_')
                word = result.Length;
        }
        return result.ToString();
    }

    /// <summary>Without the arguments: <c>Map&lt;...&gt;</c>.</summary>
    public static string Empty(string text, string ellipsis)
    {
        var result = new StringBuilder(text.Length);
        int depth = 0;
        foreach (char c in text)
        {
            if (c == '>')
                depth--;
            if (depth == 0)
                result.Append(c);
            if (c == '<' && depth++ == 0)
                result.Append(ellipsis);
        }
        return result.ToString();
    }
}
