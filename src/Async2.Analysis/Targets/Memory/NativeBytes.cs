namespace Async2.Analysis.Targets.Memory;

/// <summary>
/// Bytes of a native struct of the target in this process. Plain loads without spans: precompiled code calls the methods of
/// spans, which dominates if a million structs are read. Callers make sure that the bytes exist.
/// </summary>
internal readonly unsafe struct NativeBytes(byte* data)
{
    /// <summary>A pointer of the target; 0 for the offset -1 of an absent field.</summary>
    public ulong Pointer(int offset) => offset < 0 ? 0 : *(ulong*)(data + offset);

    /// <summary>The same of a 32-bit number.</summary>
    public uint UInt32(int offset) => offset < 0 ? 0 : *(uint*)(data + offset);

    /// <summary>A signed 32-bit number.</summary>
    public int Int32(int offset) => (int)UInt32(offset);
}
