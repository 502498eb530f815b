using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Text;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>
/// Values of the target as C# would write them. Reading is bounded in depth and breadth, because the data may be damaged: the text of a value that
/// cannot be read says so.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="types">How values lie in memory.</param>
/// <param name="parts">Says what values are made of, for those who will look into them; null when nobody will.</param>
internal sealed class ValueReader(Target target, TypeResolver types, PartsFinder? parts = null)
{
    private const int DepthLimit = 3;
    private const int FieldLimit = 12;
    private const int TextLimit = 500;
    private const string Unknown = "?";

    private readonly ObjectText _objects = new(target);
    private readonly EnumText _enums = new();

    /// <summary>The value, and the type that it really has: of an object its own.</summary>
    /// <returns>Null if none of the bytes that matter are known.</returns>
    public ReadValue? Read(DeclaredType declared, ValueBytes bytes)
    {
        try
        {
            return declared.IsReference ? ReadReference(declared, bytes) : Text(declared, bytes, 0) is { } text ? new(text, TypeName.Short(declared.Name), parts?.OfStruct(declared, bytes)) : null;
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException or OverflowException or IndexOutOfRangeException or IOException or NullReferenceException or NotSupportedException)
        {
            // ClrMD met types that are invalid.
            return new("<unreadable>", TypeName.Short(declared.Name));
        }
    }

    /// <summary>Bytes of the fields of an object, as far as they can be read.</summary>
    public ValueBytes FieldsOf(ulong address, ClrType type)
    {
        byte[] bytes = new byte[Math.Clamp(type.StaticSize - 8, 0, 64 * 1024)];
        int read = target.Memory.ReadUpTo(address + 8, bytes);
        return new(bytes.AsMemory(0, read));
    }

    public ClrType? TypeOf(ulong address) => _objects.TypeOf(address);

    private ReadValue? ReadReference(DeclaredType declared, ValueBytes bytes)
    {
        if (bytes.First(8) is not { IsEmpty: false } pointer)
            return null;
        ulong address = BinaryPrimitives.ReadUInt64LittleEndian(pointer);
        if (address == 0)
            return new("null", TypeName.Short(declared.Name));
        if (_objects.TypeOf(address) is not { } type)
            return new(ObjectText.Unreadable(address), TypeName.Short(declared.Name));
        return new(Object(address, type, 0), TypeName.Short(TypeName.FromRuntimeName(type.Name ?? declared.Name)), parts?.OfObject(address, type));
    }

    private string Object(ulong address, ClrType type, int depth)
        => type.IsValueType ? Text(TypeResolver.Of(type), FieldsOf(address, type), depth) ?? ObjectText.Unreadable(address) : _objects.Of(address, type);

    // Recursion ends at the depth limit.
    private string? Text(DeclaredType declared, ValueBytes bytes, int depth)
    {
        if (declared.IsReference)
        {
            if (bytes.First(8) is not { IsEmpty: false } pointer)
                return null;
            ulong address = BinaryPrimitives.ReadUInt64LittleEndian(pointer);
            return address == 0 ? "null" : _objects.TypeOf(address) is not { } type ? ObjectText.Unreadable(address)
                : depth < DepthLimit ? Object(address, type, depth + 1) : ObjectText.Unreadable(address).Replace("<unreadable ", "{", StringComparison.Ordinal).Replace('>', '}');
        }
        if (declared.Element != ClrElementType.Struct)
            return PrimitiveText.Of(declared.Element, bytes.First(PrimitiveText.SizeOf(declared.Element)));
        if (declared.Type is not { } layout)
            return bytes.Length > 0 ? "{" + CappedText.CutMark + "}" : null;
        if (layout.IsEnum)
            return _enums.Of(layout, bytes);
        return KnownStructText.Of(layout, bytes) ?? Struct(declared, layout, bytes, depth);
    }

    private string? Struct(DeclaredType declared, ClrType layout, ValueBytes bytes, int depth)
    {
        ImmutableArray<DeclaredField> fields = types.FieldsOf(layout);
        if (declared.Name.EndsWith('?') || layout.Name?.StartsWith("System.Nullable<", StringComparison.Ordinal) == true)
            return Nullable(fields, bytes, depth);
        string?[] texts = depth >= DepthLimit ? [] : [.. fields.Take(FieldLimit).Select(f => Text(f.Type, bytes.Slice(f.Offset, SizeOf(f.Type)), depth + 1))];
        if (depth >= DepthLimit)
            return "{" + CappedText.CutMark + "}";
        // Nothing known of it: it was not saved.
        if (texts.Length > 0 && texts.All(t => t is null))
            return null;
        bool isTuple = layout.Name?.StartsWith("System.ValueTuple<", StringComparison.Ordinal) == true;
        return isTuple ? $"({string.Join(", ", InOrder(fields, texts))})" : Fields(fields, texts);
    }

    // A tuple's fields are not laid out in their order.
    private static IEnumerable<string> InOrder(ImmutableArray<DeclaredField> fields, string?[] texts)
        => texts.Select((text, i) => (Name: fields[i].Name == "Rest" ? "Item9" : fields[i].Name, Text: text ?? Unknown)).OrderBy(f => f.Name, StringComparer.Ordinal).Select(f => f.Text);

    private static string Fields(ImmutableArray<DeclaredField> fields, string?[] texts)
    {
        var text = new StringBuilder("{ ");
        for (int i = 0; i < texts.Length && text.Length < TextLimit; i++)
            text.Append(i > 0 ? ", " : null).Append(FieldName.Readable(fields[i].Name)).Append(" = ").Append(texts[i] ?? Unknown);
        if (texts.Length < fields.Length || text.Length >= TextLimit)
            text.Append(", " + CappedText.CutMark);
        return fields.IsEmpty ? "{ }" : text.Append(" }").ToString();
    }

    private string? Nullable(ImmutableArray<DeclaredField> fields, ValueBytes bytes, int depth)
    {
        DeclaredField? has = fields.FirstOrDefault(f => f.Name == "hasValue"), value = fields.FirstOrDefault(f => f.Name == "value");
        if (has is null || value is null || bytes.Slice(has.Offset, 1).First(1) is not { IsEmpty: false } flag)
            return null;
        return flag[0] == 0 ? "null" : Text(value.Type, bytes.Slice(value.Offset, SizeOf(value.Type)), depth);
    }

    /// <summary>Bytes of a variable of a type; 0 when unknown.</summary>
    public int SizeOf(DeclaredType type) => type.Type is { IsEnum: true } layout ? _enums.SizeOf(layout) : type.Size;
}
