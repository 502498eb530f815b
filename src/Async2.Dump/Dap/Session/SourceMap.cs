using System.Collections.Immutable;
using System.Text.Json;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>Maps source paths of the build machine to paths on this machine.</summary>
/// <param name="rules">A path in the PDB, or its beginning, and its replacement.</param>
internal sealed class SourceMap(IEnumerable<(string From, string To)> rules)
{
    // The longest first: a rule for a file has priority over one for its folder.
    private readonly ImmutableArray<(string From, string To)> _rules =
        [.. rules.Select(rule => (From: Unified(rule.From).TrimEnd('/'), rule.To)).OrderByDescending(rule => rule.From.Length).ThenBy(rule => rule.From, StringComparer.Ordinal)];

    /// <summary>Reads an object of strings.</summary>
    public static SourceMap Read(DapRequest request, string name)
    {
        if (request.Find(name) is not { } map)
            return new([]);
        if (map.ValueKind != JsonValueKind.Object || map.EnumerateObject().Any(rule => rule.Value.ValueKind != JsonValueKind.String))
            throw request.Wrong(name, "an object of strings");
        return new(map.EnumerateObject().Where(rule => rule.Name.Length > 0).Select(rule => (rule.Name, rule.Value.GetString()!)));
    }

    /// <summary>The path on this machine; the same path if no rule applies.</summary>
    public string Apply(string path)
    {
        string unified = Unified(path);
        foreach ((string from, string to) in _rules)
        {
            if (!unified.StartsWith(from, Comparison(from)))
                continue;
            string rest = unified[from.Length..];
            if (rest.Length == 0)
                return to;
            if (rest[0] == '/')
                return to.TrimEnd('/', '\\') + Path.DirectorySeparatorChar + rest[1..].Replace('/', Path.DirectorySeparatorChar);
        }
        return path;
    }

    private static string Unified(string path) => path.Replace('\\', '/');

    // Windows paths ignore case.
    private static StringComparison Comparison(string from)
        => from is [_, ':', ..] or ['/', '/', ..] ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
}
