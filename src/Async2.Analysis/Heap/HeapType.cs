using Async2.Analysis.Layouts;

namespace Async2.Analysis.Heap;

/// <summary>What a walk over the heap has to know of a type: 16 bytes, so that the types of a heap stay in the processor's cache.</summary>
/// <param name="MethodTable">Its address.</param>
/// <param name="BaseSize">Bytes of an object without components.</param>
/// <param name="ComponentSize">Bytes of an element of an array or string; 0 for all others.</param>
/// <param name="Kind">What it is to async code.</param>
/// <param name="IsResource">Its objects are waited for without being pointed to.</param>
internal readonly record struct HeapType(ulong MethodTable, uint BaseSize, ushort ComponentSize, AsyncTypeKind Kind, bool IsResource)
{
    /// <summary>Neither an async object nor one to note.</summary>
    public bool IsPlain => Kind == AsyncTypeKind.Other && !IsResource;

    /// <summary>Bytes that an object takes on the heap, with its alignment.</summary>
    /// <param name="components">Its length; not read for types without components.</param>
    /// <param name="alignment">coreclr's DATA_ALIGNMENT: the pointer size.</param>
    public ulong SizeOf(uint components, uint alignment)
        => (BaseSize + ((ulong)components * ComponentSize) + (alignment - 1)) & ~(ulong)(alignment - 1);
}
