namespace Async2.Analysis.Targets.Memory;

/// <summary>Memory of another process, as the operating system lets this one read it.</summary>
internal unsafe interface IProcessMemory : IDisposable
{
    /// <summary>Copies ranges; returns the bytes before the first unreadable one, or -1 for none.</summary>
    /// <param name="here">Where to; as many bytes as there.</param>
    /// <param name="there">Where from.</param>
    /// <param name="count">How many ranges.</param>
    /// <param name="refusal">Why nothing of the process can be read at all; mostly that is not so.</param>
    long Read(MemorySlice* here, MemorySlice* there, int count, out ReadRefusal refusal);
}

/// <summary>Why no memory of a process can be read.</summary>
internal enum ReadRefusal
{
    /// <summary>It can.</summary>
    None,

    /// <summary>The process no longer exists.</summary>
    HasEnded,

    /// <summary>It may not be read.</summary>
    IsForbidden,
}

/// <summary>A range of addresses. (An iovec of Linux.)</summary>
/// <param name="Start">First byte, in this or the other process.</param>
/// <param name="Length">Bytes.</param>
internal readonly record struct MemorySlice(ulong Start, nuint Length);

/// <summary>Memory of processes, on Linux and Windows.</summary>
internal static class ProcessMemory
{
    /// <summary>Prepares to read a process.</summary>
    /// <exception cref="InvalidOperationException">It has ended (on Linux reading says it).</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read (on Linux reading says it).</exception>
    public static IProcessMemory Open(int pid) => OperatingSystem.IsWindows() ? new WindowsProcessMemory(pid) : new LinuxProcessMemory(pid);
}
