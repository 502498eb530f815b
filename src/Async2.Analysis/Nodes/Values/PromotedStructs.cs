using System.Collections.Immutable;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Metadata;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Nodes.Values;

/// <summary>A part of a struct that the JIT keeps like a variable of its own.</summary>
internal readonly record struct PromotedField(SavedVariable Variable, int At, int Size, DeclaredType Type);

/// <summary>
/// Small structs in optimised code. The JIT makes variables of their fields, which debug info does not know, and saves those like
/// all others: by size, then by number, and the numbers of fields follow the order of their structs. So if there are exactly as
/// many saved values without a name as fields of structs that the method still needs, they belong together in order.
/// Anything else is not decided.
/// </summary>
internal sealed class PromotedStructs(TypeResolver types, ValueReader values)
{
    // MAX_NumOfFieldsInPromotableStruct of the JIT.
    private const int FieldLimit = 4;
    private const int NestingLimit = 4;

    /// <summary>Where each recovered struct was saved.</summary>
    /// <param name="saved">The suspension point.</param>
    /// <param name="text">Type arguments of the frame.</param>
    /// <param name="references">Content of GCData.</param>
    public IEnumerable<(SavedVariable Variable, DeclaredType Type, SavedPiece[] Pieces)> Find(SavedVariables saved, FullTypeText text, ulong[] references)
    {
        List<(SavedVariable Variable, DeclaredType Type)> lost = [.. saved.Lost.Select(v => (v, types.Resolve(v.Type!, text)))];
        if (!lost.Any(l => l.Type.Element == ClrElementType.Struct))
            return [];
        List<PromotedField> fields = [.. lost.SelectMany(l => Fields(l.Variable, l.Type))];
        // A plain variable that is lost may be any of the values of its size.
        HashSet<(bool, int)> muddled = [.. lost.Where(l => l.Type.Element != ClrElementType.Struct).Select(l => (l.Type.IsReference, l.Type.Size))];
        ILookup<(bool, int), SavedRange> unnamed = Unnamed(saved, text).ToLookup(r => (r.InGCData, r.Size));
        var found = new Dictionary<PromotedField, SavedRange>();
        foreach (var group in fields.GroupBy(f => (f.Type.IsReference, f.Size)).Where(g => !muddled.Contains(g.Key)))
        {
            if (Match([.. group], [.. unnamed[group.Key].OrderBy(r => r.Offset)], references) is not { } ranges)
                continue;
            foreach ((PromotedField field, SavedRange range) in group.Zip(ranges))
                found[field] = range;
        }
        return from l in lost
               let own = fields.Where(f => f.Variable == l.Variable).ToList()
               where own.Count > 0 && own.All(found.ContainsKey)
               select (l.Variable, l.Type, own.Select(f => new SavedPiece(f.At, f.Size, found[f].InGCData, found[f].Offset)).ToArray());
    }

    private IEnumerable<SavedRange> Unnamed(SavedVariables saved, FullTypeText text)
    {
        List<(NativePlace Place, int Size)> known = [.. saved.Places.Select(p => (p.Place, p.Type is { } type ? Math.Max(8, types.Resolve(type, text).Size) : 8))];
        return saved.Map.Ranges.Where(r => !known.Any(k => k.Place.InMemory == r.Source.InMemory && k.Place.Register == r.Source.Register
            && r.Source.Offset >= k.Place.Offset && (long)r.Source.Offset - k.Place.Offset < k.Size));
    }

    // In numbers of variables, the ExecutionContext that a method restores stands before all fields.
    private List<SavedRange>? Match(List<PromotedField> fields, List<SavedRange> ranges, ulong[] references)
    {
        if (ranges.Count == fields.Count + 1 && ranges[0].InGCData && IsContext(ObjectAt(ranges[0], references)))
            ranges.RemoveAt(0);
        return ranges.Count == fields.Count && fields.Zip(ranges).All(m => Fits(m.First, m.Second, references)) ? ranges : null;
    }

    private bool IsContext(ulong address) => address == 0 || values.TypeOf(address)?.Name == Layouts.AsyncTypes.ExecutionContext;

    private bool Fits(PromotedField field, SavedRange range, ulong[] references)
    {
        if (!range.InGCData || ObjectAt(range, references) is not (> 0 and var address))
            return true;
        if (values.TypeOf(address) is not { } type)
            return false;
        return field.Type.Name is "object" or TypeName.Unknown || Names(type).Contains(field.Type.Name);
    }

    private static IEnumerable<string> Names(ClrType type)
    {
        IEnumerable<string?> bases = Layouts.BaseTypes.Of(type).Select(t => t.Name);
        return bases.Concat(type.EnumerateInterfaces().Select(i => i.Name)).OfType<string>().Select(TypeName.FromRuntimeName);
    }

    private static ulong ObjectAt(SavedRange range, ulong[] references)
        => range.Offset % 8 == 0 && range.Offset / 8 is >= 0 and var index && index < references.Length ? references[index] : 0;

    private IEnumerable<PromotedField> Fields(SavedVariable variable, DeclaredType type)
    {
        if (type is not { Element: ClrElementType.Struct, Type: { IsEnum: false } layout })
            return [];
        ImmutableArray<DeclaredField> fields = types.FieldsOf(layout);
        if (fields.Length is 0 or > FieldLimit)
            return [];
        List<PromotedField?> promoted = [.. fields.OrderBy(f => f.Offset).Select(f => Innermost(variable, f))];
        return promoted.Any(f => f is null) ? [] : promoted.OfType<PromotedField>();
    }

    // A struct of a single field counts as that field.
    private PromotedField? Innermost(SavedVariable variable, DeclaredField field)
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
        return size > 0 ? new PromotedField(variable, at, size, type) : null;
    }
}
