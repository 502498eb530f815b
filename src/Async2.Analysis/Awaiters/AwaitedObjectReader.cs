using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Awaiters;

/// <summary>
/// Finds what an operation waits for. For a runtime-async chain: among the references saved in its innermost continuation; a task
/// that names the chain as its waiter is proof. Without one, the runtime's own leaf frames hold nothing but what they await.
/// For a state machine: in the awaiter that it saved.
/// </summary>
internal sealed class AwaitedObjectReader(
    Target target, TaskLayout? layout, AwaiterReader awaiters, StateMachineLayouts machines, LoadedModules modules, SavedData saved, ObjectTypes types)
{
    private const int ReferenceLimit = 4096;

    private readonly AwaitedTypes _types = new(target.Runtime, new InterfaceNames(modules).Of);

    private readonly CustomAwaiters _custom = new(target.Memory, awaiters);
    private ulong[] _references = new ulong[64];

    // The pending task that was read last, and who waits for it: a million may wait for one gate.
    private (AwaitedObject Task, ulong Continuation) _last;

    /// <param name="gcData">The continuation's references.</param>
    /// <param name="task">The ThunkTask of the chain.</param>
    /// <param name="isLeafOfRuntime">The continuation is one of the runtime's own, not a user's method with locals.</param>
    public AwaitedObject? OfChain(ulong gcData, ulong task, bool isLeafOfRuntime)
    {
        AwaitedObject? guess = null;
        ReadOnlySpan<ulong> references = saved.References(gcData, ReferenceLimit, ref _references);
        for (int i = 0; i < references.Length; i++)
        {
            if (references[i] == 0 || references[i] == task || Describe(references[i], task) is not { } awaited)
                continue;
            if (awaited.PointsBack)
                return Nearest(awaited, references[(i + 1)..], task);
            guess ??= awaited;
        }
        if (isLeafOfRuntime)
            return guess;
        // What optimised code of a user's method awaits stands beside its locals, where the runtime's methods were compiled into it. In .NET 11 a custom awaiter always does;
        // in .NET 10 the code tells of its type, and here is only what it refers to.
        if (_custom.Find(references, task) is not (not 0 and var kept))
            return null;
        return Describe(kept, task) is { } source ? source with { PointsBack = true } : saved.IsInline && Other(kept) is { } custom ? custom with { IsCustom = true, PointsBack = true } : null;
    }

    /// <summary>Whether a task is what <see cref="OfChain"/> finds: it names the chain as its waiter, which the caller knows, and no other reference does.</summary>
    /// <param name="gcData">The continuation's references.</param>
    /// <param name="task">The ThunkTask of the chain.</param>
    /// <param name="awaited">The task in question.</param>
    public bool IsOnly(ulong gcData, ulong task, ulong awaited)
    {
        bool isThere = false;
        foreach (ulong reference in saved.References(gcData, ReferenceLimit, ref _references))
        {
            if (reference == awaited)
                isThere = true;
            else if (reference != 0 && reference != task && Describe(reference, task) is { PointsBack: true })
                return false;
        }
        return isThere;
    }

    // A task and the promise of its WaitAsync both lead to who awaits the promise. Code that is shared by all reference types keeps the task, by which it knows T.
    private AwaitedObject Nearest(AwaitedObject first, ReadOnlySpan<ulong> others, ulong task)
    {
        (AwaitedObject Task, ulong Continuation) nearest = _last;
        if (awaiters.IsActionOf(nearest.Continuation, task))
            return first;
        foreach (ulong reference in others)
        {
            if (reference != 0 && reference != task && reference != nearest.Task.Address && Describe(reference, task) is { PointsBack: true } && awaiters.Contains(nearest.Continuation, reference))
                nearest = _last;
        }
        _last = nearest;
        return nearest.Task with { PointsBack = true };
    }

    /// <param name="row">A suspended state machine.</param>
    /// <param name="awaiterField">The field that holds its awaiter at this await; null if unknown.</param>
    public AwaitedObject? OfStateMachine(in NodeRow row, string? awaiterField)
    {
        if (row.Body == 0 || machines.StateMachineIn(row.Address, row.MethodTable) is not { } machine)
            return null;
        foreach (AwaiterSlot slot in machine.Layout.Awaiters)
        {
            bool isMeant = awaiterField is null || slot.Field == awaiterField;
            if (isMeant && slot.Offset >= 0 && target.Memory.TryReadPointer(row.Body + (ulong)slot.Offset, out ulong held) && held != 0)
                return Describe(held, row.Address) ?? Behind(held, row.Address);
        }
        return null;
    }

    /// <param name="field">Address of a field that holds an awaiter, often a boxed one.</param>
    /// <param name="task">Who waits.</param>
    public AwaitedObject? OfField(ulong field, ulong task) => target.Memory.TryReadPointer(field, out ulong awaiter) ? Behind(awaiter, task) : null;

    /// <param name="row">A chain whose task is the box of a suspended machine, which awaits what the chain waits for.</param>
    public AwaitedObject? OfBox(in NodeRow row)
    {
        if (machines.StateMachineIn(row.Address, row.MethodTable) is not { } machine)
            return null;
        foreach (AwaiterSlot slot in machine.Layout.Awaiters)
        {
            if (slot.Offset >= 0 && target.Memory.TryReadPointer(machine.Address + (ulong)slot.Offset, out ulong awaiter) && awaiter != 0)
                return Behind(awaiter, row.Address);
        }
        return null;
    }

    /// <param name="awaiter">Address of an awaiter, boxed or a class; or of what is awaited.</param>
    /// <param name="task">Who waits.</param>
    public AwaitedObject? Behind(ulong awaiter, ulong task)
    {
        if (awaiter == 0 || !MethodTables.TryRead(target.Memory, awaiter, out ulong methodTable))
            return null;
        // A boxed awaiter, or a class of the program.
        int inner = TypeLookup.Of(target.Runtime, methodTable) is { IsValueType: true } type ? AwaiterReference.InBox(type, target.Memory.PointerSize) : -1;
        ulong held = inner >= 0 && target.Memory.TryReadPointer(awaiter + (ulong)inner, out ulong reference) ? reference : 0;
        return (held != 0 ? Describe(held, task) : Describe(awaiter, task)) ?? Other(held != 0 ? held : awaiter);
    }

    // Null for objects that cannot be awaited.
    private AwaitedObject? Describe(ulong address, ulong waiter)
    {
        if (address != 0 && address == _last.Task.Address)
            return _last.Task with { PointsBack = awaiters.Contains(_last.Continuation, waiter) };
        if (!MethodTables.TryRead(target.Memory, address, out ulong methodTable))
            return null;
        return _types.Of(methodTable) switch
        {
            AwaitedShape.Task => ReadTask(address, methodTable, waiter),
            AwaitedShape.ValueTaskSource => new(address, types.NameOf(methodTable), IsCompleted: false, PointsBack: false),
            _ => null,
        };
    }

    // A custom awaiter of the program, or an object that it holds.
    private AwaitedObject? Other(ulong address)
        => MethodTables.TryRead(target.Memory, address, out ulong methodTable) ? new(address, types.NameOf(methodTable), false, false) : null;

    private AwaitedObject? ReadTask(ulong address, ulong methodTable, ulong waiter)
    {
        TargetMemory memory = target.Memory;
        if (layout is null || !memory.TryReadUInt32(address + (ulong)layout.StateFlags, out uint state)
            || !memory.TryReadPointer(address + (ulong)layout.ContinuationObject, out ulong continuation))
            return null;
        _last = (new(address, types.NameOf(methodTable), TaskLayout.IsCompleted(state), PointsBack: false) { IsTask = true }, continuation);
        return _last.Task with { PointsBack = awaiters.Contains(continuation, waiter) };
    }
}
