using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Terminals;

/// <summary>
/// Text with the terminal's own sixteen colours, so that it fits the user's theme. Source places become links if the
/// terminal supports them (OSC 8).
/// </summary>
/// <param name="writer">The terminal.</param>
/// <param name="look">What it can show.</param>
/// <param name="links">Addresses of source places; null for no links.</param>
internal sealed class AnsiText(TextWriter writer, TextSurface look, SourceLinks? links) : StyledText(look)
{
    private const string Escape = "\u001b";

    /// <inheritdoc/>
    public override void Line() => writer.Write('\n');

    /// <inheritdoc/>
    protected override void Emit(TextRole role, string safe, string? link, int? line)
    {
        string? url = link is null ? null : links?.Url(link, line);
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
}
