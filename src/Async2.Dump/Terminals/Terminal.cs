using System.Text;
using Async2.Analysis.Rendering;
using Spectre.Console;

namespace Async2.Dump.Terminals;

/// <summary>What standard output or standard error can show, as Spectre finds out.</summary>
internal sealed class Terminal
{
    private readonly bool _colors;
    private readonly bool _links;
    private readonly TextLook _look;

    private Terminal(IAnsiConsoleOutput output, bool noColor, bool ascii)
    {
        Profile profile = AnsiConsole.Create(new AnsiConsoleSettings { Out = output }).Profile;
        IsTerminal = output.IsTerminal;
        _colors = IsTerminal && profile.Capabilities.Ansi && profile.Capabilities.ColorSystem != ColorSystem.NoColors && !noColor && !NoColorVariable;
        _links = _colors && profile.Capabilities.Links;
        _look = new TextLook(IsTerminal ? profile.Width : null, ascii || !IsUnicode(output.Writer.Encoding));
    }

    /// <summary>Whether a person sees it directly.</summary>
    public bool IsTerminal { get; }

    /// <summary>The terminal of the answer.</summary>
    public static Terminal Output(bool noColor, bool ascii) => new(new AnsiConsoleOutput(Console.Out), noColor, ascii);

    /// <summary>The terminal of progress and errors.</summary>
    public static Terminal Error(bool noColor, bool ascii) => new(new AnsiConsoleOutput(Console.Error), noColor, ascii);

    /// <summary>Makes a sink that writes to a writer as this terminal wants it.</summary>
    public StyledText Open(TextWriter writer) => _colors ? new AnsiText(writer, _look, _links) : new PlainText(writer, _look);

    // no-color.org: present and not empty.
    private static bool NoColorVariable => !string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"));

    private static bool IsUnicode(Encoding encoding) => encoding.CodePage is 65001 or 1200 or 1201;
}
