using System.Runtime.CompilerServices;

namespace Async2.Analysis.Reachability;

/// <summary>How an object is followed.</summary>
internal enum ShapeKind
{
    /// <summary>As its <see cref="ObjectShape"/> says, or it has none.</summary>
    Other,

    /// <summary>Not at all: it has no references.</summary>
    Plain,

    /// <summary>Its references are among its first words.</summary>
    Fields,

    /// <summary>It is an array of references.</summary>
    References,
}

/// <summary>What marking needs of most types, in half a line of a processor's cache.</summary>
internal struct PackedShape
{
    /// <summary>The type.</summary>
    public ulong MethodTable;

    /// <summary>A bit for each word of the object that is a reference.</summary>
    public ulong Fields;

    /// <summary>Bytes without elements and without the word in front of the object.</summary>
    public uint Size;

    /// <summary>How it is followed.</summary>
    public ShapeKind Kind;
}

/// <summary>The shapes that one thread has met last, found by their method tables.</summary>
internal sealed unsafe class ShapeCache(ObjectShapes shapes)
{
    private const int CacheBits = 11;

    // Fibonacci hashing: method tables lie close together.
    private const ulong HashFactor = 0x9E3779B97F4A7C15;

    // An empty slot is that of no type, which is followed as one that is damaged.
    private readonly PinnedArray<PackedShape> _slots = new(1 << CacheBits);

    /// <summary>The shape of a type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref PackedShape Of(ulong methodTable)
    {
        ref PackedShape slot = ref _slots.First[(methodTable * HashFactor) >> (64 - CacheBits)];
        if (slot.MethodTable != methodTable)
            Fill(ref slot, methodTable);
        return ref slot;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Fill(ref PackedShape slot, ulong methodTable)
    {
        slot = new() { MethodTable = methodTable };
        if (shapes.Of(methodTable) is not { } shape || shapes.Chains?.MethodTables.Contains(methodTable) == true)
            return;
        if (!shape.Leads)
            slot.Kind = ShapeKind.Plain;
        else if (shape.Fields is not 0 and var fields)
            slot = slot with { Kind = ShapeKind.Fields, Fields = fields, Size = shape.BaseSize - sizeof(ulong) };
        else if (shape.IsOfReferences)
            slot = slot with { Kind = ShapeKind.References, Size = shape.BaseSize - sizeof(ulong) };
    }

    /// <summary>Reads the shape of a type again.</summary>
    public void Forget(ulong methodTable)
    {
        ref PackedShape slot = ref Of(methodTable);
        Fill(ref slot, methodTable);
    }
}
