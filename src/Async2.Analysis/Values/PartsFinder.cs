using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>Says what a value is made of, without reading it: values whose text says all have no parts.</summary>
internal sealed class PartsFinder(Target target, TypeResolver types)
{
    // More than anybody expands; a damaged length can be any number.
    private const int ElementLimit = 1_000_000;
    private const string List = "System.Collections.Generic.List<";
    private const string Nullable = "System.Nullable<";

    /// <summary>Parts of an object; null for strings, boxed numbers and what has no fields.</summary>
    public ValueParts? OfObject(ulong address, ClrType type)
    {
        if (type.IsString || type.IsPrimitive || type.IsEnum)
            return null;
        if (type.IsArray)
            return OfArray(address, type, null);
        return type.Name?.StartsWith(List, StringComparison.Ordinal) == true && OfList(address, type) is { } elements ? elements : OfFields(TypeResolver.Of(type), type, address, default);
    }

    /// <summary>Parts of a struct; null for those that are one value to a reader.</summary>
    public ValueParts? OfStruct(DeclaredType declared, ValueBytes bytes)
        => declared is { Element: ClrElementType.Struct, Type: { IsEnum: false } layout } && KnownStructText.Of(layout, bytes) is null
            && layout.Name?.StartsWith(Nullable, StringComparison.Ordinal) != true
            ? OfFields(declared, layout, null, bytes) : null;

    private UnreadParts? OfFields(DeclaredType declared, ClrType layout, ulong? address, ValueBytes bytes)
        => types.FieldsOf(layout).Length is > 0 and var count
            ? new UnreadParts(declared with { Type = layout }) { Count = count, Address = address, Bytes = bytes } : null;

    private UnreadParts? OfArray(ulong address, ClrType type, int? used)
    {
        if (!target.Memory.TryReadUInt32(address + (ulong)target.Memory.PointerSize, out uint length) || type.ComponentType is not { } element || type.ComponentSize <= 0)
            return null;
        int count = (int)Math.Min((uint)Math.Clamp(used ?? ElementLimit, 0, ElementLimit), length);
        // What the runtime calls the base size counts the object header, which lies in front of the address; bounds of
        // several dimensions stand before the elements.
        int first = Math.Max(type.StaticSize - target.Memory.PointerSize, ArrayLayout.FirstElement(target.Memory));
        return count == 0 ? null : new UnreadParts(TypeResolver.Of(element))
        {
            Count = count,
            IsIndexed = true,
            Address = address,
            FirstElement = address + (ulong)first,
            ElementSize = type.ComponentSize,
        };
    }

    // List<T>._items and _size: what is behind the size is left over.
    private UnreadParts? OfList(ulong address, ClrType type)
        => type.GetFieldByName("_items") is { Offset: >= 0 } items && type.GetFieldByName("_size") is { Offset: >= 0 } size
            && target.Memory.TryReadPointer(address + (ulong)(target.Memory.PointerSize + items.Offset), out ulong array)
            && target.Memory.TryReadUInt32(address + (ulong)(target.Memory.PointerSize + size.Offset), out uint used)
            && TypeLookup.OfObject(target.Runtime, target.Memory, array) is { IsArray: true } arrayType
            ? OfArray(array, arrayType, (int)Math.Min(used, ElementLimit)) : null;
}
