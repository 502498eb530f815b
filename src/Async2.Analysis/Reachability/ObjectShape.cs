using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Reachability;

/// <summary>
/// Where the references of any object are, arrays of structs too, from the series that the collector itself goes by: they stand in
/// front of the method table (64-bit coreclr 10.0.12, src/coreclr/gc/gcdesc.h, go_through_object).
/// </summary>
internal sealed class ObjectShape
{
    // MethodTable: m_dwFlags, whose low half is the size of a component, then m_BaseSize, which counts the word in front of an object.
    private const ulong BaseSizeField = 4;
    private const uint HasComponents = 0x80000000;
    private const uint ContainsReferences = 0x01000000;
    private const uint Collectible = 0x00200000;
    private const int SeriesLimit = 4096;
    private const uint SizeLimit = 1 << 24;
    private const int Word = sizeof(ulong);

    public required ulong MethodTable { get; init; }

    /// <summary>Bytes of an object without components, with the word in front of it.</summary>
    public required uint BaseSize { get; init; }

    /// <summary>Bytes of an element; 0 where there are none.</summary>
    public required uint ComponentSize { get; init; }

    /// <summary>Stretches of references: where each begins, and its bytes less those of the whole object.</summary>
    public (uint Start, long Length)[] Series { get; private init; } = [];

    /// <summary>In each element of an array of structs: so many references, then so many bytes without.</summary>
    public (uint Count, uint Skip)[] Items { get; private init; } = [];

    /// <summary>Where the first reference of an array of structs is.</summary>
    public uint FirstItem { get; private init; }

    /// <summary>An object that each object of the type keeps alive: of a collectible assembly its LoaderAllocator; 0 for none.</summary>
    public ulong KeepsAlive { get; private init; }

    /// <summary>The assembly can be unloaded.</summary>
    public bool IsCollectible { get; private init; }

    /// <summary>It has references, or keeps something alive.</summary>
    public bool Leads { get; private init; }

    /// <summary>
    /// A bit for each word of an object that is a reference, if that is all that has to be known of it; otherwise 0.
    /// </summary>
    public ulong Fields { get; private init; }

    /// <summary>It is an array of references, and that is all that has to be known of it.</summary>
    public bool IsOfReferences
        => KeepsAlive == 0 && !IsCollectible && ComponentSize == Word && Series is [var (start, length)] && start == BaseSize - Word && length == -(long)BaseSize;

    /// <summary>The same of a type whose objects keep something alive.</summary>
    public ObjectShape Keeping(ulong kept) => With(Series, kept, 0);

    /// <summary>The same with fewer references.</summary>
    /// <param name="left">A bit for each word that is left out.</param>
    public ObjectShape Without(ulong left) => (Fields & ~left) is not 0 and var fields ? With(Series, 0, fields) : new()
    {
        MethodTable = MethodTable, BaseSize = BaseSize, ComponentSize = ComponentSize, Leads = false,
    };

    private ObjectShape With((uint, long)[] series, ulong kept, ulong fields) => new()
    {
        MethodTable = MethodTable, BaseSize = BaseSize, ComponentSize = ComponentSize, IsCollectible = IsCollectible,
        Series = series, Items = Items, FirstItem = FirstItem, Leads = true, KeepsAlive = kept, Fields = fields,
    };

    /// <summary>Bytes of an object, with the word in front of it.</summary>
    /// <param name="components">Its length; not read for types without components.</param>
    public ulong SizeOf(uint components) => BaseSize + ((ulong)components * ComponentSize);

    /// <summary>Null if there is no valid type at the address.</summary>
    public static ObjectShape? Of(TargetMemory memory, ulong methodTable)
    {
        if (methodTable % Word != 0 || !memory.TryReadUInt32(methodTable, out uint flags) || !memory.TryReadUInt32(methodTable + BaseSizeField, out uint baseSize)
            || baseSize is < 2 * Word or > SizeLimit)
            return null;
        uint component = (flags & HasComponents) != 0 ? flags & 0xFFFF : 0;
        if (component == 0 && baseSize < 3 * Word)
            return null;
        bool isCollectible = (flags & Collectible) != 0;
        var plain = new ObjectShape { MethodTable = methodTable, BaseSize = baseSize, ComponentSize = component, IsCollectible = isCollectible, Leads = isCollectible };
        if ((flags & ContainsReferences) == 0)
            return plain;
        if (!memory.TryReadPointer(methodTable - Word, out ulong value) || (long)value is 0 or > SeriesLimit or < -SeriesLimit)
            return null;
        return (long)value > 0 ? WithSeries(memory, plain, (int)value) : WithItems(memory, plain, -(int)(long)value);
    }

    private static ObjectShape? WithSeries(TargetMemory memory, ObjectShape plain, int count)
    {
        var series = new (uint, long)[count];
        for (int i = 0; i < count; i++)
        {
            ulong at = plain.MethodTable - Word - ((ulong)(i + 1) * 2 * Word);
            if (!memory.TryReadPointer(at, out ulong length) || !memory.TryReadPointer(at + Word, out ulong start) || start is < Word or > SizeLimit || start % Word != 0)
                return null;
            series[i] = ((uint)start, (long)length);
        }
        return plain.With(series, 0, plain.IsCollectible || plain.ComponentSize != 0 ? 0 : FieldsOf(series, plain.BaseSize));
    }

    private static ulong FieldsOf((uint Start, long Length)[] series, uint size)
    {
        ulong fields = 0;
        foreach ((uint start, long length) in series)
        {
            long bytes = length + size;
            if (bytes < 0 || start + (ulong)bytes > Math.Min(size - Word, 64 * Word))
                return 0;
            for (uint at = start; at < start + bytes; at += Word)
                fields |= 1UL << (int)(at / Word);
        }
        return fields;
    }

    // nptrs and skip of each stretch of an element, downwards from the place of the only series.
    private static ObjectShape? WithItems(TargetMemory memory, ObjectShape plain, int count)
    {
        ulong top = plain.MethodTable - (3 * Word);
        // Elements with references consist of whole words: what does not would never be walked to its end.
        if (!memory.TryReadPointer(top + Word, out ulong start) || start is < Word or > SizeLimit || start % Word != 0
            || plain.ComponentSize == 0 || plain.ComponentSize % Word != 0 || plain.BaseSize % Word != 0)
            return null;
        var items = new (uint Count, uint Skip)[count];
        for (int i = 0; i < count; i++)
        {
            if (!memory.TryReadPointer(top - ((ulong)i * Word), out ulong item))
                return null;
            items[i] = ((uint)item, (uint)(item >> 32));
            if (items[i].Count is 0 or > SizeLimit || items[i].Skip % Word != 0)
                return null;
        }
        return new()
        {
            MethodTable = plain.MethodTable, BaseSize = plain.BaseSize, ComponentSize = plain.ComponentSize, IsCollectible = plain.IsCollectible,
            Items = items, FirstItem = (uint)start, Leads = true,
        };
    }
}
