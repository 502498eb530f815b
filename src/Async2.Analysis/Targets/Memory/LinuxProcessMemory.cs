using System.Runtime.InteropServices;

namespace Async2.Analysis.Targets.Memory;

/// <summary>Memory of a process of Linux: all ranges in one call (process_vm_readv(2)).</summary>
/// <param name="pid">The process.</param>
internal sealed unsafe class LinuxProcessMemory(int pid) : IProcessMemory
{
    /// <inheritdoc/>
    public long Read(MemorySlice* here, MemorySlice* there, int count, out ReadRefusal refusal)
    {
        long read = MemoryCalls.Read(pid, here, there, count);
        refusal = read >= 0 ? ReadRefusal.None : Marshal.GetLastPInvokeError() switch
        {
            MemoryCalls.NoSuchProcess => ReadRefusal.HasEnded,
            MemoryCalls.NotPermitted => ReadRefusal.IsForbidden,
            _ => ReadRefusal.None,
        };
        return read;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
