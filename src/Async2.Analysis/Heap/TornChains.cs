using Async2.Analysis.Families;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Heap;

/// <summary>
/// Leaves out chains that changed while a running process was copied: their frames may be of two moments, or of two chains. A chain
/// is whole when both looks at the process saw the same bytes of all that it is made of; all whole chains are then of one moment.
/// </summary>
internal sealed class TornChains
{
    // The smallest object there is. Whatever names the waiter of a task (an Action, a List, a wrapper) does it in its first fields.
    private const int AwaiterBytes = 0x18;
    private const int DataLimit = 1024 * 1024;

    private readonly TargetMemory _memory;
    private readonly ChangedPages _changed;
    private readonly TaskLayout _task;
    private readonly RuntimeLayout _layout;
    private readonly ReferenceMaps _references;
    private readonly HashSet<ulong> _torn = [];

    private TornChains(TargetMemory memory, ChangedPages changed, TaskLayout task, RuntimeLayout layout)
        => (_memory, _changed, _task, _layout, _references) = (memory, changed, task, layout, new(memory));

    /// <summary>Chains that were left out so far.</summary>
    public int Count => _torn.Count;

    /// <summary>Null when nothing can be torn: a dump, or a process that was stopped.</summary>
    public static TornChains? In(Target target, RuntimeLayout layout)
        => target.Origin.Copy?.Changed is { } changed && layout.Task is { } task ? new(target.Memory, changed, task, layout) : null;

    /// <summary>Whether a chain is whole; counts it once if not.</summary>
    /// <param name="row">The operation whose chain it is.</param>
    /// <param name="frames">Addresses of the chain's frames.</param>
    /// <param name="reachesEnd">They are all; else the chain leads to where the heap was not walked yet, which is as bad.</param>
    public bool IsWhole(in NodeRow row, ReadOnlySpan<ulong> frames, bool reachesEnd)
    {
        bool isWhole = reachesEnd && (AsyncFamilies.Of(row).IsSame(row, frames, _changed, _layout) ?? IsSame(row.Address, frames));
        if (!isWhole)
            _torn.Add(row.Address);
        return isWhole;
    }

    /// <summary>Says how many were left out.</summary>
    public void Report(ProblemLog problems)
    {
        if (Count > 0)
        {
            problems.Add(ProblemCodes.TornChains, FormattableString.Invariant(
                $"{Count:N0} {(Count == 1 ? "chain was" : "chains were")} torn: they changed while the running process was read, and were left out (a chain that changes does not hang)"));
        }
    }

    private bool IsSame(ulong task, ReadOnlySpan<ulong> continuations)
    {
        bool isSame = IsTaskSame(task);
        for (int i = 0; i < continuations.Length && isSame; i++)
            isSame = IsFrameSame(continuations[i]);
        return isSame;
    }

    // Its head and its waiter are in it; so is whether it is still pending.
    private bool IsTaskSame(ulong task)
        => _changed.IsSame(task, _task.Size) && _memory.TryReadPointer(task + (ulong)_task.ContinuationObject, out ulong awaiter)
            && (awaiter == 0 || _changed.IsSame(awaiter, AwaiterBytes));

    private bool IsFrameSame(ulong continuation)
    {
        Span<byte> bytes = stackalloc byte[256];
        if (_layout.Continuation is not { } fields || fields.Size > bytes.Length || !_changed.IsSame(continuation, fields.Size) || !_memory.TryRead(continuation, bytes[..fields.Size]))
            return false;
        if (fields.Shape == ContinuationShape.Inline)
        {
            return MethodTables.TryRead(_memory, continuation, out ulong methodTable)
                && _references.Of(methodTable).Size is > 0 and var size && _changed.IsSame(continuation, size);
        }
        return IsArraySame(fields.Data(bytes), 1) && IsArraySame(fields.GCData(bytes), _memory.PointerSize);
    }

    private bool IsArraySame(ulong array, int elementSize)
    {
        if (array == 0)
            return true;
        int start = ArrayLayout.FirstElement(_memory);
        return _memory.TryReadUInt32(array + (ulong)_memory.PointerSize, out uint count) && count <= DataLimit
            && _changed.IsSame(array, start + (int)count * elementSize);
    }
}
