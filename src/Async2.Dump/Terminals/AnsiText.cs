using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Terminals;

/// <summary>
/// Text with the terminal's own sixteen colours, so that it fits the user's theme. Source places become links if the
/// terminal supports them (OSC 8).
/// </summary>
internal sealed class AnsiText(TextWriter writer, TextSurface look, bool links) : StyledText(look)
{
    private const string Escape = "\u001b";

    /// <inheritdoc/>
    public override void Line() => writer.Write('\n');

    /// <inheritdoc/>
    protected override void Emit(TextRole role, string safe, string? link)
    {
        string? url = links && link is not null ? Url(link) : null;
        if (url is not null)
            writer.Write($"{Escape}]8;;{url}{Escape}\\");
        string sgr = Sgr(role);
        if (sgr.Length == 0 || string.IsNullOrWhiteSpace(safe))
            writer.Write(safe);
        else
            writer.Write($"{Escape}[{sgr}m{safe}{Escape}[0m");
        if (url is not null)
            writer.Write($"{Escape}]8;;{Escape}\\");
    }

    private static string Sgr(TextRole role) => role switch
    {
        TextRole.Dim or TextRole.Address => "2",
        TextRole.Heading or TextRole.Count => "1",
        TextRole.File => "36",
        TextRole.State or TextRole.Good => "32",
        TextRole.Wait => "35",
        TextRole.Problem => "33",
        TextRole.Error => "1;31",
        _ => "",
    };

    // Uri percent-encodes every control character, so a path from a PDB cannot end the sequence early.
    private static string? Url(string path)
        => Path.IsPathFullyQualified(path) && Uri.TryCreate(path, UriKind.Absolute, out Uri? uri) && uri.IsFile ? uri.AbsoluteUri : null;
}
