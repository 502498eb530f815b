using System.Globalization;
using System.Text.RegularExpressions;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// The expression of a hover or watch: a variable of a frame and a path into it, <c>order.Lines[3].Id</c>. It is only looked
/// up, never evaluated: the target does not run.
/// </summary>
internal static partial class VariablePath
{
    private const string Self = "this";

    private const int Longest = 1000;

    // No real object has more fields, and a hostile one must not take forever.
    private const int MostFields = 10_000;

    /// <summary>The names and indexes of a path, <c>order</c>, <c>Lines</c>, <c>[3]</c>; null if the text is not a path.</summary>
    public static IReadOnlyList<string>? Parse(string text)
        => text.Length <= Longest && Whole().Match(text) is { Success: true } match ? [.. match.Groups["step"].Captures.Select(step => step.Value)] : null;

    /// <summary>Follows a path from the variables of a frame; other names are looked up in <c>this</c>, as a compiler does.</summary>
    /// <returns>Null if it leads nowhere.</returns>
    public static VariableLine? Find(VariableNode locals, IReadOnlyList<string> path)
    {
        VariableLine? found = Part(locals, path[0]) ?? Part(Part(locals, Self)?.Parts, path[0]);
        foreach (string step in path.Skip(1))
            found = Part(found?.Parts, step);
        return found;
    }

    private static VariableLine? Part(VariableNode? node, string step)
    {
        if (node is null)
            return null;
        if (!step.StartsWith('['))
            return node.IsIndexed ? null : node.Lines(0, Math.Min(node.Count, MostFields)).FirstOrDefault(line => line.Name == step);
        return node.IsIndexed && int.TryParse(step.AsSpan(1, step.Length - 2), NumberStyles.None, CultureInfo.InvariantCulture, out int index) && index < node.Count
            ? node.Lines(index, 1).FirstOrDefault()
            : null;
    }

    // "order?.Lines[3]!.Id": these operators do not matter here.
    [GeneratedRegex(@"^\s*@?(?<step>\$[a-z]+|[\p{L}_][\p{L}\p{Nd}_]*)([?!]*(\.\s*@?(?<step>[\p{L}_][\p{L}\p{Nd}_]*)|(?<step>\[\d{1,9}\])))*[?!]*\s*$", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant)]
    private static partial Regex Whole();
}
