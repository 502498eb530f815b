using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>What a variable or a field is declared as: all that is needed to read its bytes.</summary>
/// <param name="Name">C# form with namespaces.</param>
/// <param name="Element">What it is made of; of an enum, Struct until its type is asked.</param>
/// <param name="Type">Layout of a struct or an enum; null if it is not known, and not needed for others.</param>
internal sealed record DeclaredType(string Name, ClrElementType Element, ClrType? Type)
{
    private const int LargestStruct = 64 * 1024;

    public bool IsReference => Element is ClrElementType.Class or ClrElementType.String or ClrElementType.Object or ClrElementType.Array or ClrElementType.SZArray;

    /// <summary>Bytes of a variable of this type; 0 when unknown. Structs are rounded up to pointers.</summary>
    public int Size => IsReference ? 8 : Element == ClrElementType.Struct ? StructSize(Type) : PrimitiveText.SizeOf(Element);

    // What the runtime calls the base size counts the object header and the method table of the boxed form.
    private static int StructSize(ClrType? type) => type is null ? 0 : Math.Clamp(type.StaticSize - 16, 0, LargestStruct);

    public override string ToString() => Name;
}
