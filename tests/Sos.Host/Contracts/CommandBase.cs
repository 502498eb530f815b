namespace Microsoft.Diagnostics.DebugServices;

public abstract class CommandBase
{
    [ServiceImport]
    public IConsoleService Console { get; set; }

    [CommandInvoke]
    public abstract void Invoke();

    protected void Write(string message) => Console.Write(message);

    protected void WriteLine(string message)
    {
        Console.Write(message + Environment.NewLine);
        Console.CancellationToken.ThrowIfCancellationRequested();
    }
}
