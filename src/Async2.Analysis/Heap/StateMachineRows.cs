using System.Collections.Immutable;
using Async2.Analysis.Families.Contract;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Heap;

/// <summary>Makes rows of the boxes of classic state machines that are suspended or run, not of idle ones.</summary>
/// <param name="memory">Where they are.</param>
/// <param name="layouts">Of the machines.</param>
/// <param name="families">Know which boxes stand for something else.</param>
internal sealed class StateMachineRows(TargetMemory memory, StateMachineLayouts layouts, ImmutableArray<IFamilyReader> families)
{
    private readonly ReferenceMaps _references = new(memory);

    /// <summary>The row of an incomplete box that is a task; null for an iterator from which no element was requested.</summary>
    public NodeRow? Machine(ulong address, ulong methodTable, ulong awaiter)
    {
        if (layouts.StateMachineIn(address, methodTable) is not { } machine)
            return new NodeRow(NodeKind.Machine, address, methodTable, 0, awaiter, NodeRow.UnknownMachine);
        int state = StateOf(machine);
        foreach (IFamilyReader family in families)
        {
            if (family.RowOf(address, methodTable, machine, awaiter, state) is { } row)
                return row;
        }
        if (machine.Layout.Promise is { } promise)
        {
            if (state < NodeRow.RunningMachine)
                return null;
            memory.TryReadPointer(machine.Address + (ulong)promise.State, out awaiter);
        }
        return new NodeRow(NodeKind.Machine, address, methodTable, machine.Address, awaiter, state);
    }

    /// <summary>The row of a pooled box; null for one that is in the pool, or that has completed and waits for GetResult.</summary>
    public NodeRow? Pooled(ulong address, ulong methodTable)
    {
        if (layouts.BoxOf(methodTable) is not { Source: { } source } || layouts.StateMachineIn(address, methodTable) is not { } machine
            || !memory.TryReadPointer(address + (ulong)source.State, out ulong awaiter) || IsTrue(address + (ulong)source.Completed))
            return null;
        int state = StateOf(machine);
        // A box is cleared before it returns to the pool, and then looks as if suspended at its first await, waiting for nothing.
        return awaiter != 0 || state > 0 || HoldsAwaiter(machine)
            ? new NodeRow(NodeKind.Pooled, address, methodTable, machine.Address, awaiter, state)
            : null;
    }

    /// <summary>
    /// The row of an object of a method builder that is not the runtime's; null unless its state machine is suspended: one that is kept for
    /// later is cleared, and then looks as if suspended at its first await, waiting for nothing.
    /// </summary>
    public NodeRow? Custom(ulong address, ulong methodTable)
        => layouts.StateMachineIn(address, methodTable) is { } machine && StateOf(machine) is >= 0 and var state && HoldsAwaiter(machine)
            ? new NodeRow(NodeKind.Pooled, address, methodTable, machine.Address, WaiterOf(address, methodTable), state)
            : null;

    // A delegate beside the state machine resumes the waiter; the delegates of the box itself resume the box.
    private ulong WaiterOf(ulong box, ulong methodTable)
    {
        if (layouts.BoxOf(methodTable) is not { } layout)
            return 0;
        foreach (int offset in _references.Of(methodTable).Offsets)
        {
            if ((offset < layout.Machine || offset >= layout.Machine + layout.MachineSize) && memory.TryReadPointer(box + (ulong)offset, out ulong held)
                && layouts.TargetOf(held) is not 0 and var resumed && resumed != box)
                return held;
        }
        return 0;
    }

    /// <summary>Its state machine is an async iterator, which is awaited itself.</summary>
    public bool IsIterator(ulong address, ulong methodTable) => layouts.StateMachineIn(address, methodTable) is { Layout.Promise: not null };

    /// <summary>The object on which a state machine's method was called; 0 if there is none.</summary>
    public ulong ThisOf(in NodeRow row)
        => row.Body != 0 && layouts.StateMachineIn(row.Address, row.MethodTable) is { Layout.This: >= 0 and var offset }
            && memory.TryReadPointer(row.Body + (ulong)offset, out ulong instance) ? instance : 0;

    private int StateOf(BoxedStateMachine machine)
        => memory.TryReadUInt32(machine.Address + (ulong)machine.Layout.State, out uint state) ? unchecked((int)state) : NodeRow.UnknownMachine;

    private bool IsTrue(ulong address)
    {
        Span<byte> value = stackalloc byte[1];
        return memory.TryRead(address, value) && value[0] != 0;
    }

    private bool HoldsAwaiter(BoxedStateMachine machine)
        => machine.Layout.Awaiters.Any(a => a.Offset >= 0 && memory.TryReadPointer(machine.Address + (ulong)a.Offset, out ulong held) && held != 0);
}
