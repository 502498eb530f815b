using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Pool;

/// <summary>Names what is queued to the pool, apart from suspended methods: by the method that a delegate calls, or else by the item's type.</summary>
/// <param name="all">The target's objects.</param>
internal sealed class QueuedNames(WaitReaderContext all)
{
    private const string Unknown = "unknown";

    private readonly DelegateNames _delegates = new(all);
    private readonly LayoutCache<QueuedItemLayout> _layouts = all.Layouts(QueuedItemLayout.Of);
    private readonly Dictionary<ulong, string> _types = [];

    public (QueuedWorkKind Kind, string Name) Of(HeapObject item)
    {
        QueuedItemLayout? layout = _layouts.Of(item);
        if (layout is { Kind: QueuedWorkKind.Callback, Delegate: { } offset } && _delegates.LongOf(item.At(offset)) is { } method)
            return (QueuedWorkKind.Callback, method);
        return (layout?.Kind ?? QueuedWorkKind.Other, TypeOf(item));
    }

    private string TypeOf(HeapObject item)
    {
        ulong methodTable = item.MethodTable();
        if (!_types.TryGetValue(methodTable, out string? name))
            _types[methodTable] = name = TypeLookup.Of(all.Target.Runtime, methodTable) is { } type ? WaitNames.OfType(type) ?? Unknown : Unknown;
        return name;
    }
}

/// <summary>A work item (System.Private.CoreLib, System.Net.Sockets, Kestrel 10.0.12).</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Delegate">What it calls; null for none.</param>
internal sealed record QueuedItemLayout(QueuedWorkKind Kind, int? Delegate)
{
    private const string Task = "System.Threading.Tasks.Task";

    // The fields in which tasks, items of QueueUserWorkItem and continuations keep what they call.
    private static readonly string[] Delegates = ["m_action", "_callback", "_action", "_callBack"];

    private static readonly Dictionary<string, QueuedWorkKind> Names = new(StringComparer.Ordinal)
    {
        ["System.Threading.TimerQueue"] = QueuedWorkKind.Timers,
        ["System.Threading.TimerQueueTimer"] = QueuedWorkKind.Timers,
        ["System.Net.Sockets.SocketAsyncEngine"] = QueuedWorkKind.InputOutput,
        ["Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets.Internal.IOQueue"] = QueuedWorkKind.InputOutput,
    };

    public static QueuedItemLayout? Of(ClrType type, int pointerSize)
    {
        if (type.Name is { } name && Names.TryGetValue(name, out QueuedWorkKind kind))
            return new(kind, null);
        // A task's own field may be hidden by a field of a class that derives from it.
        ClrType holder = BaseTypes.Find(type, Task) ?? type;
        foreach (string field in Delegates)
        {
            if (holder.GetFieldByName(field) is { IsObjectReference: true } && FieldPath.Find(holder, pointerSize, field) is { } offset)
                return new(QueuedWorkKind.Callback, offset);
        }
        return new(QueuedWorkKind.Other, null);
    }
}
