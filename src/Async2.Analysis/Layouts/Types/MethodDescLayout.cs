using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Layouts.Types;

/// <summary>What the runtime calls AsyncMethodKind: how a method takes part in runtime-async (coreclr 10.0.12, method.hpp).</summary>
internal enum AsyncMethodKind
{
    /// <summary>The method has no async data.</summary>
    None = 0,

    /// <summary>An ordinary method that returns a task.</summary>
    TaskReturning = 1,

    /// <summary>The Task-returning thunk of a runtime-async method.</summary>
    RuntimeAsyncThunk = 2,

    /// <summary>The body that the user wrote with <c>async</c>.</summary>
    Body = 3,

    /// <summary>Async variant of an ordinary Task-returning method: calls it and awaits its task.</summary>
    VariantThunk = 4,

    /// <summary>The runtime's own awaiting code, <c>AsyncHelpers.Await*</c>.</summary>
    Helper = 5,
}

/// <summary>
/// The part of coreclr's <c>MethodDesc</c> that says how a method takes part in runtime-async. Read raw because the DAC has
/// no question for it, and because the DAC of 10.0.12 crashes when asked for the name of kinds 3 and 4.
/// Offsets are of 64-bit coreclr 10.0.12 (src/coreclr/vm/method.hpp).
/// </summary>
internal static class MethodDescLayout
{
    // MethodDesc::m_wFlags
    private const int Flags = 6;
    private const int ClassificationMask = 0x7;
    private const int HasNonVtableSlot = 0x08;
    private const int HasMethodImpl = 0x10; // MethodImpl { slots; method descs }: explicit and static abstract implementations
    private const int HasNativeCodeSlot = 0x20;
    private const int HasAsyncMethodData = 0x40;

    // MethodDesc { u16 flags and the low bits of the token; u8 index in its chunk; ... }, MethodDescChunk before the first of them
    // { method table; next; u8; u8; u16 flags and the high bits of the token }
    private const int ChunkIndex = 2;
    private const ulong Alignment = 8;
    private const ulong ChunkSize = 0x18;
    private const int TokenRange = 0x12;
    private const int TokenBits = 12;
    private const int TokenMask = (1 << TokenBits) - 1;
    private const int MethodDefTable = 0x06000000;

    // MethodClassification
    private const int MethodDescSize = 0x10;
    private const int InstantiatedMethodDescSize = 0x28;
    private const uint MethodImplSize = 0x10;
    private const int Instantiated = 5;
    private const int Dynamic = 7;

    // InstantiatedMethodDesc
    private const int GenericArguments = 0x18;
    private const int GenericArgumentCount = 0x22;
    private const int MaximumGenericArguments = 64;

    /// <summary>How the method takes part in runtime-async; null if the method desc is unreadable or invalid.</summary>
    public static AsyncMethodKind? Kind(TargetMemory memory, ulong methodDesc)
    {
        if (!memory.TryReadUInt16(methodDesc + Flags, out ushort flags))
            return null;
        if ((flags & HasAsyncMethodData) == 0)
            return AsyncMethodKind.None;
        // AsyncMethodData follows the optional slots: { int kind; int padding; pointer signature; int length }.
        ulong data = methodDesc + (ulong)((flags & ClassificationMask) == Instantiated ? InstantiatedMethodDescSize : MethodDescSize)
            + SlotSize(flags, HasNonVtableSlot, 8) + SlotSize(flags, HasMethodImpl, MethodImplSize) + SlotSize(flags, HasNativeCodeSlot, 8);
        return memory.TryReadUInt32(data, out uint kind) && kind is >= 1 and <= (uint)AsyncMethodKind.Helper ? (AsyncMethodKind)kind : null;
    }

    /// <summary>A method that the runtime made up at run time (an IL stub): it has no metadata.</summary>
    public static bool IsDynamic(TargetMemory memory, ulong methodDesc)
        => memory.TryReadUInt16(methodDesc + Flags, out ushort flags) && (flags & ClassificationMask) == Dynamic;

    /// <summary>
    /// Method table of the class that a method is declared in, and its token; null if the method desc is unreadable. ClrMD of
    /// hosts of version 8 and 9 does not know a method without native code of its own, and an instantiation of shared code has none.
    /// </summary>
    public static (ulong MethodTable, int Token)? Definition(TargetMemory memory, ulong methodDesc)
    {
        Span<byte> index = stackalloc byte[1];
        if (!memory.TryReadUInt16(methodDesc, out ushort low) || !memory.TryRead(methodDesc + ChunkIndex, index))
            return null;
        ulong chunk = methodDesc - ChunkSize - index[0] * Alignment;
        if (!memory.TryReadPointer(chunk, out ulong methodTable) || !memory.TryReadUInt16(chunk + TokenRange, out ushort high))
            return null;
        return (methodTable, MethodDefTable | ((high & TokenMask) << TokenBits) | (low & TokenMask));
    }

    /// <summary>Type handles of the generic arguments of an instantiated method; empty if it has none.</summary>
    public static ulong[] GenericMethodArguments(TargetMemory memory, ulong methodDesc)
    {
        if (!memory.TryReadUInt16(methodDesc + Flags, out ushort flags) || (flags & ClassificationMask) != Instantiated
            || !memory.TryReadUInt16(methodDesc + GenericArgumentCount, out ushort count) || count is 0 or > MaximumGenericArguments
            || !memory.TryReadPointer(methodDesc + GenericArguments, out ulong table))
            return [];
        var handles = new ulong[count];
        for (int i = 0; i < count; i++)
        {
            if (!memory.TryReadPointer(table + (ulong)(i * memory.PointerSize), out handles[i]))
                return [];
        }
        return handles;
    }

    private static ulong SlotSize(ushort flags, int bit, uint size) => (flags & bit) != 0 ? size : 0u;
}
