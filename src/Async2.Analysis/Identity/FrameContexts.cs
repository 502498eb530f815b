using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Identity;

/// <summary>
/// The ExecutionContext of suspended frames and of threads: what AsyncLocals had as values there. A frame of runtime-async has its own in one of the
/// slots of its GCData, the box of a state machine in <c>Task.m_stateObject</c>, a pooled box in <c>Context</c>; a thread has that of the code it runs.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="resources">Has the thread objects that the walk over the heap has noted.</param>
internal sealed class FrameContexts(Target target, WaitResources resources)
{
    private const int SlotLimit = 4096;

    private readonly LayoutCache<ContextSlot> _slots = new(target.Runtime, ContextSlot.Of);
    private readonly LayoutCache<ContextLayout> _contexts = new(target.Runtime, ContextLayout.Of);
    private readonly LayoutCache<ThreadContextSlot> _threadLayouts = new(target.Runtime, ThreadContextSlot.Of);
    private ulong[] _references = new ulong[16];
    private Dictionary<int, ulong>? _threads;

    /// <summary>The context of a frame's object: a continuation, or the box of a state machine; 0 if it has none.</summary>
    public ulong Of(ulong frame)
    {
        var item = new HeapObject(target.Memory, frame);
        if (frame == 0 || _slots.Of(item) is not { } slot)
            return 0;
        ulong found = item.Reference(slot.Offset);
        if (!slot.IsArray)
            return IsContext(found) ? found : 0;
        foreach (ulong reference in ArrayLayout.ReadReferences(target.Memory, found, SlotLimit, ref _references))
        {
            if (reference != 0 && IsContext(reference))
                return reference;
        }
        return 0;
    }

    /// <summary>The context that a thread runs in; 0 if it has none.</summary>
    /// <param name="thread">Its managed id.</param>
    public ulong OfThread(int thread) => (_threads ??= ReadThreads()).TryGetValue(thread, out ulong context) && IsContext(context) ? context : 0;

    /// <summary>Where the values of a context are; 0 if it has none.</summary>
    public ulong ValuesOf(ulong context)
    {
        var item = new HeapObject(target.Memory, context);
        return context != 0 && _contexts.Of(item) is { } layout ? item.Reference(layout.Values) : 0;
    }

    private bool IsContext(ulong address) => address != 0 && _contexts.Of(new HeapObject(target.Memory, address)) is not null;

    private Dictionary<int, ulong> ReadThreads()
    {
        var found = new Dictionary<int, ulong>();
        foreach (HeapObject item in resources.Addresses.Select(address => new HeapObject(target.Memory, address)))
        {
            if (_threadLayouts.Of(item) is { } layout && item.Int32(layout.ManagedId) is > 0 and var id)
                found.TryAdd(id, item.Reference(layout.Context));
        }
        return found;
    }
}

/// <summary>Where the object of a frame keeps its context.</summary>
/// <param name="Offset">Of the reference to it, or to the array that has it.</param>
/// <param name="IsArray">It is one of several in an array: of GCData any slot, told by its type.</param>
internal sealed record ContextSlot(int Offset, bool IsArray)
{
    private const string Continuation = "System.Runtime.CompilerServices.Continuation";

    public static ContextSlot? Of(ClrType type, int pointerSize)
    {
        if (type.Name == Continuation)
            return FieldPath.Find(type, pointerSize, "GCData") is { } saved ? new(saved, true) : null;
        if (type.Fields.FirstOrDefault(field => field is { IsObjectReference: true, Name: "Context" or "_context", Type.Name: ContextLayout.TypeName }) is { Name: { } name })
            return FieldPath.Find(type, pointerSize, name) is { } own ? new(own, false) : null;
        return TaskLayout.Of(type, pointerSize) is { } task ? new(task.StateObject, false) : null;
    }
}

/// <summary><c>System.Threading.ExecutionContext</c>.</summary>
/// <param name="Values">The map of its AsyncLocals, or null.</param>
internal sealed record ContextLayout(int Values)
{
    public const string TypeName = "System.Threading.ExecutionContext";

    public static ContextLayout? Of(ClrType type, int pointerSize)
        => type.Name == TypeName && FieldPath.Find(type, pointerSize, "m_localValues") is { } values ? new(values) : null;
}

/// <summary><c>System.Threading.Thread</c>, with the context that it runs in.</summary>
/// <param name="ManagedId">int.</param>
/// <param name="Context">The context; null for the default one.</param>
internal sealed record ThreadContextSlot(int ManagedId, int Context)
{
    public static ThreadContextSlot? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.Thread" && FieldOffsets.Find(type, pointerSize, "_managedThreadId", "_executionContext") is { } fields
            ? new(fields["_managedThreadId"], fields["_executionContext"])
            : null;
}
