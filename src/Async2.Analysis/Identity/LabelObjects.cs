using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Values;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Identity;

/// <summary>Objects that labels are read of. Nothing is taken for what a field promises: each object is asked for its type.</summary>
internal sealed class LabelObjects(Target target)
{
    public Target Target { get; } = target;

    public ObjectFields Fields { get; } = new(target);

    public HeapObject At(ulong address) => new(Target.Memory, address);

    /// <summary>The type of an object; null for no object.</summary>
    public ClrType? TypeOf(HeapObject item) => item.Address == 0 ? null : TypeLookup.Of(Target.Runtime, item.MethodTable());

    /// <summary>It is of a class, or of one that derives from it.</summary>
    public bool Is(HeapObject item, string type) => TypeOf(item) is { } own && BaseTypes.Find(own, type) is not null;

    /// <summary>A string in a field, cut at a limit; null for anything else.</summary>
    public string? Text(HeapObject item, string field) => Text(Fields.Follow(item, field));

    /// <summary>A string itself.</summary>
    public string? Text(HeapObject item) => TypeOf(item)?.IsString == true ? StringLayout.Read(Target.Memory, item.Address, LabelText.Limit + 1) : null;

    /// <summary>A string, or a boxed value that prints as one thing; null for any other object.</summary>
    public string? Value(HeapObject item) => TypeOf(item) switch
    {
        null => null,
        { IsString: true } => Text(item),
        { IsPrimitive: true } type => PrimitiveText.Of(type.ElementType, BytesOf(item, type).First(PrimitiveText.SizeOf(type.ElementType))),
        { IsValueType: true } type => KnownStructText.Of(type, BytesOf(item, type)),
        _ => null,
    };

    private ValueBytes BytesOf(HeapObject value, ClrType type)
    {
        byte[] bytes = new byte[Math.Clamp(type.StaticSize - Target.Memory.PointerSize, 0, 256)];
        int read = Target.Memory.ReadUpTo(value.Address + (ulong)Target.Memory.PointerSize, bytes);
        return new(bytes.AsMemory(0, read));
    }
}

/// <summary>Texts of labels.</summary>
internal static class LabelText
{
    /// <summary>So many characters a label has at most.</summary>
    public const int Limit = 1024;

    private const string CutMark = "...";

    public static string Cut(string text) => text.Length <= Limit ? text : string.Concat(text.AsSpan(0, Limit), CutMark);

    /// <summary>A pattern as it is written in a program, with the slash at its beginning that is optional there.</summary>
    public static string Route(string pattern) => Cut(pattern.StartsWith('/') ? pattern : "/" + pattern);
}
