using System.Runtime.CompilerServices;
using System.Text;
using Async2.Analysis.Rendering.Text;
using Spectre.Console;

namespace Async2.Dump.Terminals;

/// <summary>The abilities of standard output or standard error: none, unless it is a terminal and Spectre detects more.</summary>
internal sealed class Terminal
{
    private readonly bool _colors;
    private readonly SourceLinks? _links;
    private readonly TextSurface _style;

    // Neither Spectre nor a Console writer is needed for a file or a pipe; both take time to load.
    private Terminal(bool ascii, int? width = null) => _style = new TextSurface(width, ascii || !IsUnicode(System.Console.OutputEncoding));

    private Terminal(IAnsiConsoleOutput output, bool noColor, bool ascii)
    {
        Console = AnsiConsole.Create(new AnsiConsoleSettings { Out = output, ColorSystem = noColor || NoColorVariable ? ColorSystemSupport.NoColors : ColorSystemSupport.Detect });
        Profile profile = Console.Profile;
        IsTerminal = true;
        _colors = profile.Capabilities.Ansi && profile.Capabilities.ColorSystem != ColorSystem.NoColors && !noColor && !NoColorVariable;
        _links = _colors && profile.Capabilities.Links ? SourceLinks.Of(Environment.GetEnvironmentVariable) : null;
        _style = new TextSurface(profile.Width, ascii || !IsUnicode(output.Writer.Encoding));
    }

    /// <summary>The terminal as Spectre knows it; null if it is none.</summary>
    public IAnsiConsole? Console { get; }

    /// <summary>What is on it can be drawn over.</summary>
    public bool CanRedraw => Console is { Profile.Capabilities.Ansi: true };

    /// <summary>Only ASCII is shown.</summary>
    public bool Ascii => _style.Ascii;

    /// <summary>Whether a person reads it directly.</summary>
    public bool IsTerminal { get; }

    /// <summary>Columns; null if it is not a terminal.</summary>
    public int? Width => _style.Width;

    /// <summary>The terminal of the answer.</summary>
    /// <param name="noColor">No colours.</param>
    /// <param name="ascii">Only ASCII.</param>
    /// <param name="width">Columns of the reader, if it is not a terminal.</param>
    public static Terminal Output(bool noColor, bool ascii, int? width = null) => System.Console.IsOutputRedirected ? new(ascii, width) : OfOutput(noColor, ascii);

    /// <summary>The terminal of progress and errors.</summary>
    public static Terminal Error(bool noColor, bool ascii) => System.Console.IsErrorRedirected ? new(ascii) : OfError(noColor, ascii);

    /// <summary>Creates a sink that writes to a writer with this terminal's abilities.</summary>
    public StyledText Open(TextWriter writer) => _colors ? new AnsiText(writer, _style, _links) : new PlainText(writer, _style);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Terminal OfOutput(bool noColor, bool ascii) => new(new AnsiConsoleOutput(System.Console.Out), noColor, ascii);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Terminal OfError(bool noColor, bool ascii) => new(new AnsiConsoleOutput(System.Console.Error), noColor, ascii);

    // no-color.org: present and not empty.
    private static bool NoColorVariable => !string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"));

    private static bool IsUnicode(Encoding encoding) => encoding.CodePage is 65001 or 1200 or 1201;
}
