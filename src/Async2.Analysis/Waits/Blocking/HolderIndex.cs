using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>From an object that a thread blocks on to the one that the user knows: the CountdownEvent of a ManualResetEventSlim.</summary>
internal sealed class HolderIndex(WaitReaderContext all)
{
    private readonly LayoutCache<HolderLayout> _layouts = all.Layouts(HolderLayout.Of);
    private Dictionary<ulong, ulong>? _holders;

    /// <summary>0 when nobody holds it.</summary>
    public ulong Of(ulong inner) => (_holders ??= Build()).GetValueOrDefault(inner);

    private Dictionary<ulong, ulong> Build()
    {
        var holders = new Dictionary<ulong, ulong>();
        foreach (ulong address in all.Resources.Addresses)
        {
            HeapObject holder = all.At(address);
            foreach (int field in _layouts.Of(holder)?.Inner ?? [])
            {
                if (holder.Reference(field) is not 0 and var inner)
                    holders.TryAdd(inner, address);
            }
        }
        return holders;
    }
}

/// <summary>
/// Objects that wait through an inner object: while a thread blocks in one, only the inner object is still on its stack
/// (.NET 10.0.12).
/// </summary>
/// <param name="Inner">Offsets of the objects that threads really block on.</param>
internal sealed record HolderLayout(IReadOnlyList<int> Inner)
{
    private static readonly (string Type, string[] Fields)[] Table =
    [
        ("System.Threading.CountdownEvent", ["_event"]),
        ("System.Threading.Barrier", ["_oddEvent", "_evenEvent"]),
        ("System.Collections.Concurrent.BlockingCollection<", ["_occupiedNodes", "_freeNodes"]),
        ("System.Threading.WaitHandle", ["_waitHandle"]), // AutoResetEvent, ManualResetEvent, Mutex, Semaphore derive from it
    ];

    public static HolderLayout? Of(ClrType type, int pointerSize)
    {
        foreach ((string name, string[] fields) in Table)
        {
            if (BaseTypes.Of(type).Any(t => t.Name == name || (name[^1] == '<' && t.Name?.StartsWith(name, StringComparison.Ordinal) == true))
                && FieldOffsets.Find(type, pointerSize, fields) is { } found)
                return new([.. fields.Select(f => found[f])]);
        }
        return null;
    }
}
