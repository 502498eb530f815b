using Async2.Analysis.Layouts.Descriptions;
using static System.FormattableString;
using static Async2.Analysis.Layouts.Checks.FieldWidths;

namespace Async2.Analysis.Layouts.Checks;

/// <summary>Whether the fields of a type can lie where a description puts them.</summary>
internal static class TypeCheck
{
    private const int PointerSize = 8;

    public static IEnumerable<string> FaultsOf(LayoutFacts facts, string type)
    {
        FieldFact[] fields = [.. facts.FieldsOf(type).OrderBy(field => field.Offset).ThenBy(field => field.Field, StringComparer.Ordinal)];
        foreach (FieldFact field in fields)
        {
            if (WidthFault(field) is { } fault)
                yield return fault;
        }
        if (type == AsyncLayoutParts.Continuation && fields is [{ Offset: < PointerSize } first, ..])
            yield return Invariant($"{type}.{first.Field} lies at {first.Offset}, in the object's method table pointer (0..{PointerSize})");
        FieldFact? reach = null;
        foreach (FieldFact field in fields)
        {
            if (reach is not null && End(reach) > field.Offset)
                yield return Invariant($"{type}.{reach.Field} and {type}.{field.Field} overlap ({Extent(reach)} and {Extent(field)})");
            if (reach is null || End(field) > End(reach))
                reach = field;
        }
        if (facts.Size(type) is { } size && reach is not null && End(reach) > size)
            yield return Invariant($"{type} has {size} bytes, and {type}.{reach.Field} ends at {End(reach)}");
    }

    // Nothing guessed: a field of another width would be read wrong silently.
    private static string? WidthFault(FieldFact field)
        => field.FieldType is { } type && OfRead(field.Type, field.Field) is { } read && FieldWidths.Of(type) is var width && width != read
            ? Invariant($"{field.Type}.{field.Field} is \"{type}\"{(width is { } bytes ? Invariant($" of {bytes}") : ", which is not known")}, and a field of {read} bytes is read there")
            : null;

    private static string Extent(FieldFact field) => Invariant($"{field.Offset}..{End(field)}");
}
