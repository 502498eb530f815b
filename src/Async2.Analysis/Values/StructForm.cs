using System.Collections.Immutable;
using Async2.Analysis.Code.Locals;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>A part of a struct that the JIT keeps like a variable of its own.</summary>
internal readonly record struct PromotedField(int At, int Size, bool IsReference, string TypeName)
{
    /// <summary>What values are sorted by when a method is saved.</summary>
    public (bool IsReference, int Size) Kind => (IsReference, Size);
}

/// <summary>A way in which the JIT may keep a struct: field by field, as a number in one register, or in memory.</summary>
internal sealed record StructForm(SavedVariable Variable, DeclaredType Type, ImmutableArray<PromotedField> Fields)
{
    /// <summary>It is not in registers at all, but in memory as it is.</summary>
    public bool IsLarge => Fields is [{ Size: > 8 }];

    // MAX_NumOfFieldsInPromotableStruct of the JIT.
    private const int FieldLimit = 4;
    private const int NestingLimit = 4;

    /// <summary>Field by field first; none for what is never kept so.</summary>
    public static IEnumerable<StructForm> Of(SavedVariable variable, DeclaredType type, TypeResolver types, ValueReader values)
    {
        if (type is not { Element: ClrElementType.Struct, Type: { IsEnum: false } layout })
            yield break;
        ImmutableArray<DeclaredField> fields = types.FieldsOf(layout);
        List<PromotedField?> promoted = [.. fields.OrderBy(f => f.Offset).Take(FieldLimit + 1).Select(f => Innermost(f, types, values))];
        if (promoted.Count is 0 or > FieldLimit || promoted.Any(f => f is null))
            yield break;
        ImmutableArray<PromotedField> parts = [.. promoted.OfType<PromotedField>()];
        yield return new StructForm(variable, type, parts);
        int size = parts.Max(p => p.At + p.Size);
        if (parts.Length > 1 && size <= 8 && !parts.Any(p => p.IsReference))
            yield return new StructForm(variable, type, [new PromotedField(0, size <= 4 ? 4 : 8, false, type.Name)]);
        if (parts.Length > 1 && size > 8 && !parts.Any(p => p.IsReference))
            yield return new StructForm(variable, type, [new PromotedField(0, type.Size, false, type.Name)]);
    }

    // A struct of a single field counts as that field.
    private static PromotedField? Innermost(DeclaredField field, TypeResolver types, ValueReader values)
    {
        DeclaredType type = field.Type;
        int at = field.Offset;
        for (int depth = 0; type is { Element: ClrElementType.Struct, Type: { IsEnum: false } layout }; depth++)
        {
            ImmutableArray<DeclaredField> inner = types.FieldsOf(layout);
            if (inner.Length != 1 || depth == NestingLimit)
                return null;
            at += inner[0].Offset;
            type = inner[0].Type;
        }
        int size = values.SizeOf(type);
        return size > 0 ? new PromotedField(at, size, type.IsReference, type.Name) : null;
    }
}
