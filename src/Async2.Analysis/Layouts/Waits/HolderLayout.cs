using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

/// <summary>
/// Objects that let others do the waiting: while a thread blocks in one, only the inner object is still on its stack
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
