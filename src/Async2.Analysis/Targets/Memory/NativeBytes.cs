namespace Async2.Analysis.Targets.Memory;

/// <summary>
/// Bytes of a native struct of the target that lie in this process. Plain loads and no spans: precompiled code calls the methods of
/// spans, which costs more than all else where a million structs are read. Callers make sure that the bytes exist.
/// </summary>
internal readonly unsafe struct NativeBytes(byte* data)
{
    /// <summary>A pointer of the target; 0 for an offset of -1, that of a field which the layout does not have.</summary>
    public ulong Pointer(int offset) => offset < 0 ? 0 : *(ulong*)(data + offset);

    /// <summary>The same of a 32-bit number.</summary>
    public uint UInt32(int offset) => offset < 0 ? 0 : *(uint*)(data + offset);

    /// <summary>A 32-bit number with its sign.</summary>
    public int Int32(int offset) => (int)UInt32(offset);
}
