using Async2.Analysis.Code.DebugInfo;

namespace Async2.Analysis.Code.Decoding;

internal enum SymbolKind
{
    Unknown,

    /// <summary>The value of <see cref="Symbol.Place"/> when the block began: possibly a part of a variable.</summary>
    Content,

    /// <summary>The address of a place in the method's frame.</summary>
    Address,

    /// <summary>An object that a call returned; <see cref="Symbol.Object"/> is the number of the call.</summary>
    Object,

    /// <summary>The Data array of the continuation.</summary>
    Data,

    /// <summary>The GCData array of the continuation.</summary>
    GCData,

    Constant,
}

/// <summary>The content of a register or a piece of memory, as far as the code determines it.</summary>
/// <param name="Place">Of <see cref="SymbolKind.Content"/> and <see cref="SymbolKind.Address"/>.</param>
/// <param name="Value">A constant; for objects and arrays the offset from their beginning.</param>
/// <param name="Object">The object.</param>
internal readonly record struct Symbol(SymbolKind Kind, NativePlace Place = default, long Value = 0, int Object = 0)
{
    public static Symbol Constant(ulong value) => new(SymbolKind.Constant, Value: (long)value);

    public bool IsPointer => Kind is SymbolKind.Address or SymbolKind.Object or SymbolKind.Data or SymbolKind.GCData;

    /// <summary>The address plus an offset; unknown if it is not an address.</summary>
    public Symbol Plus(long bytes) => Kind switch
    {
        SymbolKind.Address => this with { Place = Place.Skip((int)bytes) },
        SymbolKind.Object or SymbolKind.Data or SymbolKind.GCData => this with { Value = Value + bytes },
        _ => default,
    };

    /// <summary>The same bytes without the first ones.</summary>
    public Symbol Without(int bytes) => bytes == 0 ? this : Kind switch
    {
        SymbolKind.Content => this with { Place = Place.Skip(bytes) },
        SymbolKind.Constant when Value == 0 => this,
        _ => default,
    };
}
