using System.CommandLine;
using Async2.Analysis.Rendering;
using Async2.Dump.Terminals;

namespace Async2.Dump.Cli;

/// <summary>
/// What every command gets: where to write, how it may look, and when to stop. Standard output holds the answer alone;
/// everything said about getting it goes to <see cref="Notes"/>.
/// </summary>
internal sealed class ToolSession : IDisposable
{
    private readonly Interrupt _interrupt = new();
    private readonly bool _noColor;
    private readonly bool _ascii;

    /// <summary>Reads how the user wants to be spoken to.</summary>
    public ToolSession(ParseResult parsed, LookOptions options)
    {
        _noColor = parsed.GetValue(options.NoColor);
        _ascii = parsed.GetValue(options.Ascii);
        Verbose = parsed.GetValue(options.Verbose);
        Notes = Terminal.Error(_noColor, _ascii).Open(Console.Error);
        bool speaks = Terminal.Error(_noColor, _ascii).IsTerminal && !parsed.GetValue(options.Quiet);
        Progress = new ProgressLine(speaks ? Console.Error : null);
        LookArguments = [.. new[] { options.NoColor, options.Ascii, options.Quiet, options.Verbose }.Where(parsed.GetValue).Select(option => option.Name)];
    }

    /// <summary>Whether details of problems and errors are wanted.</summary>
    public bool Verbose { get; }

    /// <summary>Standard error.</summary>
    public StyledText Notes { get; }

    /// <summary>Where running analyses tell how far they are; says nothing unless standard error is a terminal.</summary>
    public ProgressLine Progress { get; }

    /// <summary>The same wishes as arguments, for a process of this tool started by this one.</summary>
    public IEnumerable<string> LookArguments { get; }

    /// <summary>Set by Ctrl-C.</summary>
    public CancellationToken Cancellation => _interrupt.Token;

    /// <summary>Makes the sink of text: coloured when the answer goes to a terminal that can.</summary>
    /// <param name="toFile">The answer goes to a file: no colours, no width.</param>
    public Func<TextWriter, StyledText> Text(bool toFile)
        => toFile ? writer => new PlainText(writer, new TextLook(null, _ascii)) : Terminal.Output(_noColor, _ascii).Open;

    /// <inheritdoc/>
    public void Dispose()
    {
        Progress.Clear();
        _interrupt.Dispose();
    }
}
