using System.Text;

namespace Microsoft.Diagnostics.DebugServices;

/// <summary>
/// The double's console: standard output, and a Ctrl-C that comes after a number of pieces. It prints what the real ones print
/// (dotnet/diagnostics, CharToLineConverter.cs and DebuggerServices.cs): dotnet-dump drops what is not ASCII, SOS in lldb and
/// WinDbg puts a question mark in its place.
/// </summary>
public sealed class DoubleConsole : IConsoleService
{
    private readonly CancellationTokenSource _interrupt = new();
    private readonly bool _isLldb;
    private int _piecesLeft;

    /// <param name="kind"><c>plain</c> is dotnet-dump, <c>lldb</c> is SOS in lldb, <c>dml</c> in WinDbg: links are possible.</param>
    /// <param name="width">Columns.</param>
    /// <param name="pieces">Pieces until Ctrl-C: 0 at once, -1 never.</param>
    public DoubleConsole(string kind, int width, int pieces)
    {
        (SupportsDml, WindowWidth, _piecesLeft) = (kind == "dml", width, pieces);
        _isLldb = kind != "plain";
        CancellationToken = _interrupt.Token;
        if (pieces == 0)
            _interrupt.Cancel();
    }

    public bool SupportsDml { get; }

    public int WindowWidth { get; }

    public CancellationToken CancellationToken { get; set; }

    public static string Exec(string text, string command) => $"<exec cmd=\"{command}\">{text}</exec>";

    private void Put(string text)
    {
        System.Console.Out.Write(_isLldb ? Encoding.ASCII.GetString(Encoding.ASCII.GetBytes(text)) : string.Concat(text.Where(IsKept)));
        if (_piecesLeft > 0 && --_piecesLeft == 0)
            _interrupt.Cancel();
    }

    private static bool IsKept(char c) => c is '\n' or '\t' or (>= ' ' and <= '\u007f');

#if NEW_CONSOLE
    public void WriteString(int type, int level, string text) => Put(text);
#else
    public void Write(string text) => Put(text);

    public void WriteWarning(string text) => Put(text);

    public void WriteError(string text) => Put(text);

    public void WriteDml(string text) => Put(text);

    public void WriteDmlExec(string text, string action) => Put(Exec(text, action));
#endif
}
