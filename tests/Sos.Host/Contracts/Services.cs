namespace Microsoft.Diagnostics.DebugServices;

public interface ITarget
{
    bool IsDump { get; }
}

/// <param name="isDump">It is a dump.</param>
/// <param name="text">What the target says of itself.</param>
public sealed class DoubleTarget(bool isDump, string text) : ITarget
{
    public bool IsDump => isDump;

    public override string ToString() => text;
}

public interface IRuntime;

public sealed class DoubleRuntime : IRuntime;

public class DiagnosticsException : Exception
{
    public DiagnosticsException()
    {
    }

    public DiagnosticsException(string message)
        : base(message)
    {
    }

    public DiagnosticsException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}

public interface IConsoleService
{
#if NEW_CONSOLE
    void WriteString(int type, int level, string text);
#else
    void Write(string text);

    void WriteWarning(string text);

    void WriteError(string text);

    void WriteDml(string text);

    void WriteDmlExec(string text, string action);
#endif

    bool SupportsDml { get; }

    int WindowWidth { get; }

    CancellationToken CancellationToken { get; set; }
}

#if NEW_CONSOLE
public static class ConsoleServiceExtensions
{
    public static void Write(this IConsoleService console, string text) => console.WriteString(0, 0, text);

    public static void WriteDmlExec(this IConsoleService console, string text, string cmd) => console.WriteString(2, 0, DoubleConsole.Exec(text, cmd));
}
#endif
