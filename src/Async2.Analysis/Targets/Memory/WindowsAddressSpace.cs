using System.Runtime.Versioning;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets.Memory;

/// <summary>Address space on Windows, which counts what is committed against all memory of the machine, written to or not: so only what is used is.</summary>
[SupportedOSPlatform("windows")]
internal sealed unsafe class WindowsAddressSpace : IAddressSpace
{
    private const uint Committed = 0x1000, Reserved = 0x2000, Released = 0x8000, ReadWrite = 4;
    private const ulong PageSize = 4096;

    /// <inheritdoc/>
    public nint Reserve(ulong bytes) => WindowsCalls.VirtualAlloc(0, (nuint)bytes, Reserved, ReadWrite);

    /// <inheritdoc/>
    public bool Commit(nint start, ulong bytes) => WindowsCalls.VirtualAlloc(start, (nuint)bytes, Committed, ReadWrite) != 0;

    /// <inheritdoc/>
    public void Populate(nint start, ulong bytes)
    {
        for (ulong offset = 0; offset < bytes; offset += PageSize)
            *(byte*)(start + (nint)offset) = 0;
    }

    /// <inheritdoc/>
    public void Release(nint start, ulong bytes) => _ = WindowsCalls.VirtualFree(start, 0, Released);
}
