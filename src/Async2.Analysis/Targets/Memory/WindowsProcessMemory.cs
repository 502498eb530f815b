using System.Runtime.Versioning;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets.Memory;

/// <summary>Memory of a process of Windows. What was opened stays the same process, also when it has ended and its id is another's.</summary>
/// <param name="pid">The process.</param>
[SupportedOSPlatform("windows")]
internal sealed unsafe class WindowsProcessMemory(int pid) : IProcessMemory
{
    private readonly WindowsProcess _process = WindowsProcess.Open(pid);

    /// <inheritdoc/>
    public long Read(MemorySlice* here, MemorySlice* there, int count, out ReadRefusal refusal)
    {
        long total = 0;
        refusal = ReadRefusal.None;
        for (int i = 0; i < count; i++)
        {
            long read = _process.Read(there[i].Start, (void*)here[i].Start, (long)there[i].Length);
            total += read;
            if (read == (long)there[i].Length)
                continue;
            refusal = _process.HasEnded ? ReadRefusal.HasEnded : ReadRefusal.None;
            return total > 0 ? total : -1;
        }
        return total;
    }

    /// <inheritdoc/>
    public void Dispose() => _process.Dispose();
}
