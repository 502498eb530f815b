using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders.Kept;

/// <summary>
/// What dictionaries have at a key: locks are often kept in one, a lock for each customer. Those of the framework whose keys are strings, ints or objects that
/// are compared by reference (System.Private.CoreLib and System.Collections.Concurrent 10.0.12).
/// </summary>
internal sealed class DictionaryEntries(Target target)
{
    private const int EntryLimit = 10_000;
    private const int KeyLimit = 4096;

    private readonly Dictionary<ulong, Dictionary<object, ulong>> _known = [];

    /// <summary>Address of the value; 0 if there is none, or that cannot be told.</summary>
    /// <param name="dictionary">Address of the dictionary.</param>
    /// <param name="key">A string, an int, or the address of an object.</param>
    public ulong ValueOf(ulong dictionary, object key) => EntriesOf(dictionary).GetValueOrDefault(key is ulong address ? KeyAt(address) : key);

    /// <summary>All values of a dictionary, or elements of an array.</summary>
    public IEnumerable<ulong> ValuesOf(ulong container)
        => TypeOf(container) is { IsArray: true } ? ArrayLayout.ReadReferences(target.Memory, container, EntryLimit) : EntriesOf(container).Values;

    private Dictionary<object, ulong> EntriesOf(ulong dictionary)
    {
        if (!_known.TryGetValue(dictionary, out Dictionary<object, ulong>? entries))
            _known[dictionary] = entries = Read(dictionary);
        return entries;
    }

    // Strings are equal if they have the same characters.
    private object KeyAt(ulong item) => TypeOf(item) is { IsString: true } ? StringLayout.Read(target.Memory, item, KeyLimit) ?? "" : item;

    private Dictionary<object, ulong> Read(ulong dictionary)
    {
        var found = new Dictionary<object, ulong>();
        if (Field(dictionary, "_entries") is not 0 and var entries)
            ReadEntries(entries, found);
        else if (Field(dictionary, "_tables") is not 0 and var tables && Field(tables, "_buckets") is not 0 and var buckets)
            ReadBuckets(buckets, found);
        return found;
    }

    private void ReadEntries(ulong entries, Dictionary<object, ulong> found)
    {
        if (TypeOf(entries) is not { IsArray: true, ComponentType: { } entry, ComponentSize: > 0 and var size } || new HeapObject(target.Memory, entries).Length() is not { } length
            || entry.GetFieldByName("key") is not { } key || entry.GetFieldByName("value") is not { IsObjectReference: true } value || entry.GetFieldByName("next") is not { } next)
            return;
        ulong first = entries + (ulong)ArrayLayout.FirstElement(target.Memory);
        for (uint i = 0; i < Math.Min(length, EntryLimit); i++)
        {
            ulong at = first + (i * (ulong)size);
            // What is free has a next below -1.
            if (target.Memory.TryReadUInt32(at + (ulong)next.Offset, out uint link) && (int)link >= -1)
                Add(at, key, value, found);
        }
    }

    // An array of nodes, or of structs with nothing but a node.
    private void ReadBuckets(ulong buckets, Dictionary<object, ulong> found)
    {
        int left = EntryLimit;
        foreach (ulong bucket in ArrayLayout.ReadReferences(target.Memory, buckets, 10 * EntryLimit))
        {
            for (ulong node = bucket; node != 0 && left-- > 0; node = Field(node, "_next"))
            {
                if (TypeOf(node) is { } type && type.GetFieldByName("_key") is { } key && type.GetFieldByName("_value") is { IsObjectReference: true } value)
                    Add(node + (ulong)target.Memory.PointerSize, key, value, found);
            }
        }
    }

    private void Add(ulong at, ClrInstanceField key, ClrInstanceField value, Dictionary<object, ulong> found)
    {
        if (KeyOf(at + (ulong)key.Offset, key) is { } known && target.Memory.TryReadPointer(at + (ulong)value.Offset, out ulong item) && item != 0)
            found.TryAdd(known, item);
    }

    private object? KeyOf(ulong at, ClrInstanceField field)
        => field.IsObjectReference ? (target.Memory.TryReadPointer(at, out ulong item) && item != 0 ? KeyAt(item) : null)
            : field.ElementType == ClrElementType.Int32 && target.Memory.TryReadUInt32(at, out uint number) ? (int)number : null;

    private ulong Field(ulong item, string name)
        => TypeOf(item)?.GetFieldByName(name) is { IsObjectReference: true, Offset: >= 0 } field && target.Memory.TryReadPointer(item + (ulong)target.Memory.PointerSize + (ulong)field.Offset, out ulong value) ? value : 0;

    private ClrType? TypeOf(ulong item) => TypeLookup.OfObject(target.Runtime, target.Memory, item);
}
