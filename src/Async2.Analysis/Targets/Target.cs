namespace Async2.Analysis.Targets;

/// <summary>An opened process or dump: owns its lifetime and knows how it was frozen.</summary>
public sealed class Target : IDisposable
{
    /// <summary>Opens a pid, the name of a running process when only one has it, or a dump file.</summary>
    /// <exception cref="TargetException">The target cannot be opened; the message names the cure.</exception>
    public static Target Open(string target, TargetOptions options) => throw new NotSupportedException();

    /// <summary>Opens a live process.</summary>
    /// <exception cref="TargetException">The process cannot be opened; the message names the cure.</exception>
    public static Target OpenProcess(int pid, TargetOptions options) => throw new NotSupportedException();

    /// <summary>Opens a core dump or minidump.</summary>
    /// <exception cref="TargetException">The dump cannot be opened; the message names the cure.</exception>
    public static Target OpenDump(string path, TargetOptions options) => throw new NotSupportedException();

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
