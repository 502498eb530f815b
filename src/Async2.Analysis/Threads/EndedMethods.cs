using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Threads;

/// <summary>
/// State machines that are on the stack of a thread only because what waited for them runs inside of their last call, which completes their task: nothing of
/// their own code is left to run, or, in an iterator, none before the next element is asked for.
/// </summary>
/// <param name="memory">Where they are.</param>
/// <param name="machines">Their layouts.</param>
/// <param name="tasks">Tells pending ones from others; null if there are none.</param>
internal sealed class EndedMethods(TargetMemory memory, StateMachineLayouts machines, PendingTasks? tasks)
{
    /// <summary>Whether that is so of the one that a frame drives.</summary>
    /// <param name="held">Objects that the frame holds, none of which is an operation that it runs.</param>
    public bool IsAmong(IEnumerable<ulong> held)
    {
        bool has = false;
        foreach (ulong box in held)
        {
            if (MethodTables.TryRead(memory, box, out ulong methodTable) && machines.StateMachineIn(box, methodTable) is { } machine)
            {
                if (!HasEnded(box, methodTable, machine))
                    return false;
                has = true;
            }
        }
        return has;
    }

    // A pooled box is cleared when its result is taken: one that runs is at -1, and one that waits has been lent again. F# does not note the end.
    private bool HasEnded(ulong box, ulong methodTable, BoxedStateMachine machine)
        => memory.TryReadUInt32(machine.Address + (ulong)machine.Layout.State, out uint state)
            && (unchecked((int)state) < NodeRow.RunningMachine || tasks?.IsCompleted(box) == true || (machines.BoxOf(methodTable)?.Source is not null && unchecked((int)state) != NodeRow.RunningMachine));
}
