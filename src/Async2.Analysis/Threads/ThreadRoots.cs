using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Threads.Unwinding;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Threads;

/// <summary>The objects that the frames of a thread hold, by stack pointer; none of a stack that leads back to itself. Read on demand: it costs more than the frames.</summary>
internal sealed class ThreadRoots(ClrThread thread)
{
    private readonly Lazy<ILookup<ulong, ulong>> _byFrame = new(() => (PhysicalStack.Of(thread).Repeats ? [] : thread.EnumerateStackRoots())
        .Where(root => root.StackFrame is not null && root.Object.Address != 0)
        .ToLookup(root => root.StackFrame!.StackPointer, root => root.Object.Address));

    /// <summary>Those of all frames.</summary>
    public IEnumerable<ulong> All => _byFrame.Value.SelectMany(frame => frame);

    /// <summary>In the order in which the runtime reports them.</summary>
    public IEnumerable<ulong> Of(ulong stackPointer)
    {
        foreach (ulong root in _byFrame.Value[stackPointer].Distinct())
            yield return root;
    }
}

/// <summary>Tells pending tasks among objects.</summary>
internal sealed class PendingTasks(Target target, TaskLayout layout)
{
    public bool IsPending(ulong address) => AwaiterOf(address) is not null;

    /// <summary>The object is a task, and has completed.</summary>
    public bool IsCompleted(ulong address) => StateOf(address) is { } state && TaskLayout.IsCompleted(state);

    /// <summary>The object is what Task.WaitAll has its tasks count down.</summary>
    public bool IsCountdown(ulong address)
        => MethodTables.TryRead(target.Memory, address, out ulong methodTable) && TypeLookup.Of(target.Runtime, methodTable)?.Name == CountdownTaskLayout.TypeName;

    /// <summary>Content of <c>m_continuationObject</c> of a pending task; null for anything else.</summary>
    public ulong? AwaiterOf(ulong address)
        => StateOf(address) is { } state && !TaskLayout.IsCompleted(state) && target.Memory.TryReadPointer(address + (ulong)layout.ContinuationObject, out ulong awaiter) ? awaiter : null;

    // Null for what is not a task.
    private uint? StateOf(ulong address)
        => MethodTables.TryRead(target.Memory, address, out ulong methodTable) && TypeLookup.Of(target.Runtime, methodTable) is { } type
            && BaseTypes.Find(type, TaskLayout.TypeName) is not null && target.Memory.TryReadUInt32(address + (ulong)layout.StateFlags, out uint state) ? state : null;
}
