namespace Microsoft.Diagnostics.DebugServices;

/// <summary>Base class of commands: the only output method that all hosts share.</summary>
public abstract class CommandBase
{
    protected CommandBase() => throw null;

    public IConsoleService Console
    {
        get => throw null;
        set => throw null;
    }

    public abstract void Invoke();

    protected void Write(string message) => throw null;
}
