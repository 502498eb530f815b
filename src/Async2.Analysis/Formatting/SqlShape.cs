using System.Text.RegularExpressions;

namespace Async2.Analysis.Formatting;

/// <summary>SQL without what differs from call to call: comments are left out, strings and numbers are <c>?</c>, and a list of these is one.</summary>
internal static partial class SqlShape
{
    /// <summary><c>select * from orders where id in (?, ...)</c>. Text may be cut anywhere; what is not understood stays as it is.</summary>
    public static string Of(string sql)
        => Lists().Replace(Doubled().Replace(Parts().Replace(sql, part => part.Groups["literal"].Success ? "?" : ""), "?"), "?, ...").Trim();

    // Digits of names and parameters are none: t42, $1, @p0, :p0.
    [GeneratedRegex(@"--[^\n]*|/\*.*?(?:\*/|\z)|(?<literal>'[^']*(?:'|\z)|(?<![\w$@:#])\d[\w.]*)", RegexOptions.Singleline | RegexOptions.CultureInvariant)]
    private static partial Regex Parts();

    // A quotation mark inside a string is written twice.
    [GeneratedRegex(@"\?{2,}", RegexOptions.CultureInvariant)]
    private static partial Regex Doubled();

    [GeneratedRegex(@"\?(?:\s*,\s*\?)+", RegexOptions.CultureInvariant)]
    private static partial Regex Lists();
}
