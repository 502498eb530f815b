using System.Globalization;

namespace Async2.Dump.Terminals;

/// <summary>
/// Addresses that places in source are linked to: those of files, which terminals open with the system's program, or an editor's, which knows lines. In VS Code's own terminal
/// they are VS Code's; the variable <see cref="Variable"/> says otherwise.
/// </summary>
internal sealed class SourceLinks
{
    /// <summary><c>vscode</c>, <c>file</c>, <c>none</c>, or an address with <c>{path}</c> and <c>{line}</c> in it.</summary>
    public const string Variable = "ASYNC2_LINKS";

    private const string VSCode = "vscode://file{path}:{line}", ToFile = "file://{path}", PathHere = "{path}", LineHere = "{line}";

    private readonly string _pattern;

    private SourceLinks(string pattern) => _pattern = pattern;

    /// <summary>As the user wants them; null for none.</summary>
    /// <param name="variable">Reads the environment.</param>
    public static SourceLinks? Of(Func<string, string?> variable) => variable(Variable) switch
    {
        "none" => null,
        "vscode" => new(VSCode),
        "file" => new(ToFile),
        { Length: > 0 } pattern when pattern.Contains(PathHere, StringComparison.Ordinal) && !pattern.Any(letter => char.IsControl(letter) || char.IsWhiteSpace(letter)) => new(pattern),
        _ => new(variable("TERM_PROGRAM") == "vscode" ? VSCode : ToFile),
    };

    /// <summary>Of a place; null if the path is not one of this machine's.</summary>
    /// <param name="path">Full path of a source file; comes from a PDB.</param>
    /// <param name="line">Line, from 1; null if it is not known.</param>
    public string? Url(string path, int? line)
        // Uri percent-encodes every control character, so a path from a PDB cannot end the sequence early. "file://" is followed by "/src/A.cs" and "/C:/src/A.cs".
        => Path.IsPathFullyQualified(path) && Uri.TryCreate(path, UriKind.Absolute, out Uri? uri) && uri is { IsFile: true, IsUnc: false }
            ? _pattern.Replace(PathHere, uri.AbsolutePath.StartsWith('/') ? uri.AbsolutePath : "/" + uri.AbsolutePath, StringComparison.Ordinal).Replace(LineHere, (line ?? 1).ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal) : null;
}
