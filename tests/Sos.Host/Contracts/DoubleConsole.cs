namespace Microsoft.Diagnostics.DebugServices;

/// <summary>The double's console: standard output, and a Ctrl-C that comes after a number of pieces.</summary>
public sealed class DoubleConsole : IConsoleService
{
    private readonly CancellationTokenSource _interrupt = new();
    private int _piecesLeft;

    /// <param name="dml">Links are possible.</param>
    /// <param name="width">Columns.</param>
    /// <param name="pieces">Pieces until Ctrl-C: 0 at once, -1 never.</param>
    public DoubleConsole(bool dml, int width, int pieces)
    {
        (SupportsDml, WindowWidth, _piecesLeft) = (dml, width, pieces);
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
        System.Console.Out.Write(text);
        if (_piecesLeft > 0 && --_piecesLeft == 0)
            _interrupt.Cancel();
    }

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
