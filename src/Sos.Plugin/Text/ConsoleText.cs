using System.Globalization;
using System.Text;
using Async2.Analysis.Rendering.Text;
using Async2.Sos.Hosting;

namespace Async2.Sos.Text;

/// <summary>
/// Text on the host's console; if the host supports it, addresses link to commands that show the object. Hosts print only ASCII:
/// dotnet-dump drops other characters, SOS in lldb and WinDbg prints a question mark. So other characters are escaped.
/// </summary>
internal sealed class ConsoleText : StyledText, IDisposable
{
    // One call for each piece would take most of the time; hosts limit the length of a piece.
    private const int PieceLength = 4000;

    private readonly HostConsole _console;
    private readonly CancellationToken _cancellation;
    private readonly StringBuilder _piece = new();

    /// <param name="console">The host's.</param>
    /// <param name="cancellation">Ends the output at the end of a line.</param>
    public ConsoleText(HostConsole console, CancellationToken cancellation)
        : base(new TextSurface(console.Width, Ascii: true))
    {
        _console = console;
        _cancellation = cancellation;
    }

    /// <summary>Writes text for programs, which has no line ends.</summary>
    public void Raw(string text)
    {
        _cancellation.ThrowIfCancellationRequested();
        _console.Write(text);
    }

    /// <inheritdoc/>
    public override void Line()
    {
        _piece.Append(Environment.NewLine);
        if (_piece.Length >= PieceLength)
            Flush();
        _cancellation.ThrowIfCancellationRequested();
    }

    /// <summary>Writes a last line, even after an interruption.</summary>
    public void Cut(string text)
    {
        _piece.Append(text).Append(Environment.NewLine);
        Flush();
    }

    /// <summary>Writes the name of a thread, linked to its stack.</summary>
    public void Thread(int managedId, string text)
    {
        if (_console.WriteLink is not null && _console.SystemThread(managedId) is { } id)
            Link(text, string.Create(CultureInfo.InvariantCulture, $"~~[{id:x}]e !clrstack"));
        else
            Write(TextRole.Dim, text);
    }

    /// <inheritdoc/>
    public void Dispose() => Flush();

    /// <inheritdoc/>
    protected override void Emit(TextRole role, string safe, string? link, int? line)
    {
        if (_console.WriteLink is not null && role is TextRole.Address or TextRole.Type && IsAddress(safe))
            Link(safe, (role == TextRole.Type ? "!dumpmt " : "!dumpobj ") + safe);
        else
            _piece.Append(safe);
    }

    private void Link(string text, string command)
    {
        Flush();
        _console.WriteLink!(text, command);
    }

    private void Flush()
    {
        if (_piece.Length == 0)
            return;
        _console.Write(_piece.ToString());
        _piece.Clear();
    }

    // Ids of stacks have the same role.
    private static bool IsAddress(string text)
    {
        ReadOnlySpan<char> digits = text.StartsWith("0x", StringComparison.Ordinal) ? text.AsSpan(2) : text.Length is 8 or 16 ? text : "";
        return ulong.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out _);
    }
}
