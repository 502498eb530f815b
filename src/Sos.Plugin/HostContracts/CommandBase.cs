namespace Microsoft.Diagnostics.DebugServices;

/// <summary>What commands derive from: the only way to write that all hosts share.</summary>
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
