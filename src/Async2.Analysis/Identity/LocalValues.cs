using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Identity;

/// <summary>
/// The AsyncLocals of a context with their values. Few of them are fields <c>_item0</c> to <c>_item3</c> of a map, or <c>_key1</c>, <c>_value1</c> in older
/// runtimes; more are an array <c>_keyValues</c>; many are a dictionary. Told by these fields, not by the names of the maps.
/// </summary>
internal sealed class LocalValues(Target target)
{
    // So many AsyncLocals have only programs that leak them.
    private const int Limit = 256;

    private readonly LayoutCache<LocalMap> _maps = new(target.Runtime, LocalMap.Of);
    private readonly LayoutCache<PairArray> _arrays = new(target.Runtime, PairArray.Of);

    /// <summary>Addresses of AsyncLocals and of their values, neither of them 0.</summary>
    public IEnumerable<(ulong Key, ulong Value)> In(ulong map)
    {
        var item = new HeapObject(target.Memory, map);
        if (map == 0 || _maps.Of(item) is not { } layout)
            return [];
        IEnumerable<(ulong Key, ulong Value)> pairs = layout.Array >= 0
            ? OfArray(item.At(layout.Array), layout.Count >= 0 ? item.Int32(layout.Count) ?? 0 : Limit)
            : layout.Pairs.Select(pair => (item.Reference(pair.Key), item.Reference(pair.Value)));
        return pairs.Where(pair => pair is { Key: not 0, Value: not 0 });
    }

    private IEnumerable<(ulong Key, ulong Value)> OfArray(HeapObject array, int count)
    {
        if (array.Address == 0 || _arrays.Of(array) is not { } layout || array.Length() is not { } length)
            yield break;
        int first = ArrayLayout.FirstElement(target.Memory);
        for (int i = 0; i < Math.Min(Math.Min(length, (uint)Math.Max(0, count)), Limit); i++)
        {
            int at = first + (i * layout.Size);
            // A dictionary keeps what was removed, with a link below -1.
            if (layout.Next < 0 || array.Int32(at + layout.Next) >= -1)
                yield return (array.Reference(at + layout.Key), array.Reference(at + layout.Value));
        }
    }
}

/// <summary>A map of AsyncLocals.</summary>
/// <param name="Pairs">Where keys and values are, if they are fields.</param>
/// <param name="Array">Where the array of them is; -1 for none.</param>
/// <param name="Count">Where it says how many of the array's elements were ever used; -1 for all.</param>
internal sealed record LocalMap(IReadOnlyList<(int Key, int Value)> Pairs, int Array, int Count)
{
    public static LocalMap? Of(ClrType type, int pointerSize)
    {
        if (FieldPath.Find(type, pointerSize, "_keyValues") is { } array)
            return new([], array, -1);
        if (FieldPath.Find(type, pointerSize, "_entries") is { } entries && FieldPath.Find(type, pointerSize, "_count") is { } count)
            return new([], entries, count);
        var pairs = new List<(int, int)>();
        for (int i = 0; i < 4; i++)
        {
            if ((FieldPath.Find(type, pointerSize, $"_item{i}", "key") ?? FieldPath.Find(type, pointerSize, $"_key{i + 1}")) is { } key
                && (FieldPath.Find(type, pointerSize, $"_item{i}", "value") ?? FieldPath.Find(type, pointerSize, $"_value{i + 1}")) is { } value)
                pairs.Add((key, value));
        }
        return pairs.Count == 0 ? null : new(pairs, -1, -1);
    }
}

/// <summary>An array of structs with a key and a value.</summary>
/// <param name="Size">Of an element.</param>
/// <param name="Key">From the beginning of an element.</param>
/// <param name="Value">The same.</param>
/// <param name="Next">Link to the next element of a dictionary's bucket; -1 for none.</param>
internal sealed record PairArray(int Size, int Key, int Value, int Next)
{
    public static PairArray? Of(ClrType type, int pointerSize)
        => type is { IsArray: true, ComponentType: { IsValueType: true } element, ComponentSize: > 0 and <= 256 and var size } && size >= 2 * pointerSize
            && element.GetFieldByName("key") is { Offset: >= 0 and var key } && element.GetFieldByName("value") is { Offset: >= 0 and var value }
            ? new(size, key, value, element.GetFieldByName("next")?.Offset ?? -1)
            : null;
}
