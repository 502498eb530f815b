using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>A struct that was recovered, and where its parts were saved.</summary>
internal sealed record RecoveredStruct(SavedVariable Variable, DeclaredType Type, IReadOnlyList<SavedPiece> Pieces);

/// <summary>
/// Small structs in optimised code. The JIT makes variables of their fields, which debug info does not know, and saves those like
/// all others: by size, then by number, and the numbers of fields follow the order of their structs. So if there are exactly as
/// many saved values without a name as fields of structs that the method still needs, they belong together in order.
/// Anything else is not decided.
/// </summary>
internal sealed class PromotedStructs(TypeResolver types, ValueReader values)
{
    // Ways to choose a form for each struct.
    private const int ChoiceLimit = 1024;

    private const int LargestRegister = 8;

    private static readonly int[] PlainSizes = [1, 2, 4, 8];

    /// <param name="saved">The suspension point.</param>
    /// <param name="text">Type arguments of the frame.</param>
    /// <param name="references">Content of GCData.</param>
    public IReadOnlyList<RecoveredStruct> Find(SavedVariables saved, FullTypeText text, ulong[] references)
    {
        List<(SavedVariable Variable, DeclaredType Type)> lost = [.. saved.Lost.Select(v => (v, types.Resolve(v.Type!, text)))];
        List<StructForm[]> options = [.. lost.Select(l => StructForm.Of(l.Variable, l.Type, types, values).ToArray()).Where(o => o.Length > 0)];
        if (options.Count == 0)
            return [];
        // A plain variable that is lost may be any of the values of its size, or of a larger one that it was widened to.
        HashSet<(bool, int)> muddled = [.. lost.Where(l => l.Type.Element != ClrElementType.Struct).SelectMany(l => Kinds(l.Type))];
        var unnamed = Unnamed(saved, text).Where(r => !muddled.Contains((r.InGCData, r.Size)))
            .GroupBy(r => (r.InGCData, r.Size)).ToDictionary(g => g.Key, g => g.OrderBy(r => r.Offset).ToList());
        List<RecoveredStruct> fieldwise = Assign([.. options.Select(o => o[0])], unnamed, references);
        if (fieldwise.Count == options.Count)
            return fieldwise;
        // Some are kept in another form: of all ways to choose forms a single one may account for every value.
        List<List<RecoveredStruct>> whole = [.. Choices([.. options.Select(forms => forms.Where(form => !form.IsLarge).ToArray())]).Where(c => Accounts(c, unnamed, references))
            .Select(c => Assign(c, unnamed, references)).Where(a => a.Count == options.Count).Take(2)];
        return whole.Count == 1 ? whole[0] : whole.Count == 0 && WithLarge(options, unnamed, references) is { } some ? some : fieldwise;
    }

    // Large structs stay in memory, of which code makes copies (on Windows for each call that they are passed to by a hidden reference): which is which is not known, but that all
    // others are what is left.
    private List<RecoveredStruct>? WithLarge(List<StructForm[]> options, Dictionary<(bool, int Size), List<SavedRange>> unnamed, ulong[] references)
    {
        var small = unnamed.Where(u => u.Key.Size <= LargestRegister).ToDictionary(u => u.Key, u => u.Value);
        List<StructForm[]> ways = [.. Choices(options).Where(c => c.Any(form => form.IsLarge)).Select(c => c.Where(form => !form.IsLarge).ToArray()).Where(c => Accounts(c, small, references)).Take(2)];
        return ways is [var only] && Assign(only, small, references) is { Count: > 0 } found && found.Count == only.Length ? found : null;
    }

    private static IEnumerable<(bool IsReference, int Size)> Kinds(DeclaredType type)
        => type.IsReference ? [(true, type.Size)] : PlainSizes.Where(size => size >= type.Size).Select(size => (false, size));

    private static IEnumerable<StructForm[]> Choices(List<StructForm[]> options)
    {
        int total = options.Aggregate(1, (product, o) => Math.Min(ChoiceLimit + 1, product * o.Length));
        for (int choice = 0; choice < total && total <= ChoiceLimit; choice++)
        {
            int rest = choice;
            var chosen = new StructForm[options.Count];
            for (int i = 0; i < chosen.Length; i++, rest /= options[i - 1].Length)
                chosen[i] = options[i][rest % options[i].Length];
            yield return chosen;
        }
    }

    // Every value belongs to a field. A value that holds a whole struct has no order among the others, so it must be the only one.
    private bool Accounts(StructForm[] forms, Dictionary<(bool, int), List<SavedRange>> unnamed, ulong[] references)
    {
        ILookup<(bool, int), StructForm> byKind = forms.SelectMany(f => f.Fields.Select(p => (p.Kind, Form: f))).ToLookup(p => p.Kind, p => p.Form);
        return unnamed.All(u => WithoutContext(u.Value, byKind[u.Key].Count(), references).Count == byKind[u.Key].Count())
            && byKind.All(g => g.Count() == 1 || g.All(f => f.Fields.Length > 1 || f.Fields[0].TypeName != f.Type.Name));
    }

    private List<RecoveredStruct> Assign(StructForm[] forms, Dictionary<(bool, int), List<SavedRange>> unnamed, ulong[] references)
    {
        var found = new Dictionary<(StructForm, PromotedField), SavedRange>();
        foreach (var group in forms.SelectMany(f => f.Fields.Select(p => (Form: f, Part: p))).GroupBy(p => p.Part.Kind))
        {
            List<SavedRange> ranges = WithoutContext(unnamed.GetValueOrDefault(group.Key) ?? [], group.Count(), references);
            if (ranges.Count != group.Count() || !group.Zip(ranges).All(m => Fits(m.First.Part, m.Second, references)))
                continue;
            foreach (var (field, range) in group.Zip(ranges))
                found[field] = range;
        }
        return [.. from form in forms
                   where form.Fields.All(p => found.ContainsKey((form, p)))
                   select new RecoveredStruct(form.Variable, form.Type, [.. form.Fields.Select(p => Piece(p, found[(form, p)]))])];
    }

    private static SavedPiece Piece(PromotedField field, SavedRange range) => new(field.At, field.Size, range.InGCData, range.Offset);

    private IEnumerable<SavedRange> Unnamed(SavedVariables saved, FullTypeText text)
    {
        var known = new List<(NativePlace Place, int Size)>();
        foreach (KnownPlace place in saved.Places)
        {
            int size = place.Type is { } type ? Math.Max(1, values.SizeOf(types.Resolve(type, text))) : sizeof(ulong);
            known.Add((SavedVariables.RealPlace(place.Place, place.MayBeReferred, size), size));
        }
        return saved.Map.Ranges.Where(r => !known.Any(k => k.Place.HasBaseOf(r.Source)
            && r.Source.Offset >= k.Place.Offset && (long)r.Source.Offset - k.Place.Offset < k.Size));
    }

    // The ExecutionContext that a method restores has a smaller number than all fields.
    private List<SavedRange> WithoutContext(List<SavedRange> ranges, int wanted, ulong[] references)
        => ranges.Count == wanted + 1 && ranges[0].InGCData && IsContext(ObjectAt(ranges[0], references)) ? ranges[1..] : ranges;

    private bool IsContext(ulong address) => address == 0 || values.TypeOf(address)?.Name == AsyncTypes.ExecutionContext;

    private bool Fits(PromotedField field, SavedRange range, ulong[] references)
    {
        if (!range.InGCData || ObjectAt(range, references) is not (> 0 and var address))
            return true;
        if (values.TypeOf(address) is not { } type)
            return false;
        return field.TypeName is "object" or TypeName.Unknown || Names(type).Contains(field.TypeName);
    }

    private static IEnumerable<string> Names(ClrType type)
    {
        IEnumerable<string?> bases = BaseTypes.Of(type).Select(t => t.Name);
        return bases.Concat(type.EnumerateInterfaces().Select(i => i.Name)).OfType<string>().Select(TypeName.FromRuntimeName);
    }

    private static ulong ObjectAt(SavedRange range, ulong[] references)
        => range.Offset % 8 == 0 && range.Offset / 8 is >= 0 and var index && index < references.Length ? references[index] : 0;
}
