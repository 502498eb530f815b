using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets.Memory;

/// <summary>Implements ClrMD's memory reading: values are read as bytes, and a partial value is none.</summary>
internal abstract class MemoryReader : IMemoryReader
{
    /// <inheritdoc/>
    public abstract int PointerSize { get; }

    /// <inheritdoc/>
    public abstract int Read(ulong address, Span<byte> buffer);

    /// <inheritdoc/>
    public unsafe bool Read<T>(ulong address, out T value)
        where T : unmanaged
    {
        T found = default;
        bool isWhole = Read(address, new Span<byte>(&found, sizeof(T))) == sizeof(T);
        value = isWhole ? found : default;
        return isWhole;
    }

    /// <inheritdoc/>
    public T Read<T>(ulong address)
        where T : unmanaged
        => Read(address, out T value) ? value : default;

    /// <inheritdoc/>
    public bool ReadPointer(ulong address, out ulong value)
    {
        if (PointerSize == sizeof(ulong))
            return Read(address, out value);
        bool isWhole = Read(address, out uint half);
        value = half;
        return isWhole;
    }

    /// <inheritdoc/>
    public ulong ReadPointer(ulong address) => ReadPointer(address, out ulong value) ? value : 0;
}
