using System.CommandLine;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Terminals;

namespace Async2.Dump.Cli;

/// <summary>
/// The context of every command: where to write, how output may look, and when to stop. Standard output holds only the answer;
/// everything else goes to <see cref="Notes"/>.
/// </summary>
internal sealed class ToolSession : IDisposable
{
    private readonly Interrupt _interrupt = new();
    private readonly bool _noColor;
    private readonly bool _ascii;
    private readonly int? _width;
    private readonly Lazy<StyledText> _notes;

    /// <summary>Reads the output options.</summary>
    public ToolSession(ParseResult parsed, OutputOptions options)
    {
        _noColor = parsed.GetValue(options.NoColor);
        _ascii = parsed.GetValue(options.Ascii);
        _width = parsed.GetValue(options.Width);
        Verbose = parsed.GetValue(options.Verbose);
        Terminal error = Terminal.Error(_noColor, _ascii);
        // Opened now, not at the first message: a worker redirects the file that is standard error to nowhere.
        Stream stream = Console.OpenStandardError();
        _notes = new(() => error.Open(new StreamWriter(stream, Console.OutputEncoding) { AutoFlush = true }));
        Progress = new ProgressLine(error.IsTerminal && !parsed.GetValue(options.Quiet) ? Console.Error : null, error.Width, TimeProvider.System);
        OutputArguments = [.. new[] { options.NoColor, options.Ascii, options.Quiet, options.Verbose }.Where(parsed.GetValue).Select(option => option.Name)];
    }

    /// <summary>Whether details of problems and errors are wanted.</summary>
    public bool Verbose { get; }

    /// <summary>Standard error.</summary>
    public StyledText Notes => _notes.Value;

    /// <summary>Progress of running analyses; silent unless standard error is a terminal.</summary>
    public ProgressLine Progress { get; }

    /// <summary>The same options as arguments, for a process of this tool started by this one.</summary>
    public IEnumerable<string> OutputArguments { get; }

    /// <summary>Set by Ctrl-C.</summary>
    public CancellationToken Cancellation => _interrupt.Token;

    /// <summary>Creates the text sink: coloured if the answer goes to a terminal that supports it.</summary>
    /// <param name="toFile">The answer goes to a file: no colours, no width.</param>
    public Func<TextWriter, StyledText> Text(bool toFile)
        => toFile ? writer => new PlainText(writer, new TextSurface(null, _ascii)) : Output.Open;

    /// <summary>The terminal of the answer.</summary>
    public Terminal Output => Terminal.Output(_noColor, _ascii, _width);

    /// <summary>Reports why a command failed, and returns the exit code.</summary>
    public int Fail(Exception exception)
    {
        Progress.Clear();
        // Interrupted work may fail anywhere; the user knows the reason.
        Failure failure = Failure.From(Cancellation.IsCancellationRequested ? new OperationCanceledException() : exception);
        failure.Write(Notes, Verbose ? exception : null);
        return failure.ExitCode;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Progress.Dispose();
        _interrupt.Dispose();
    }
}
