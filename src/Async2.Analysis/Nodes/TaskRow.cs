namespace Async2.Analysis.Nodes;

/// <summary>Tasks that are no part of what a process waits for, and are kept only for those who ask for them.</summary>
[Flags]
internal enum TaskKinds
{
    None = 0,

    /// <summary>Pending tasks without frames that somebody waits for.</summary>
    Plain = 1,

    /// <summary>Completed tasks of async methods; with <see cref="Plain"/> any.</summary>
    Completed = 2,
}

/// <summary>
/// Which tasks a walk over the heap keeps: the kinds that were asked for, and all others if these are few, so that a later question about them needs no
/// other walk. Any number of threads may ask.
/// </summary>
/// <param name="asked">Kinds that were asked for.</param>
/// <param name="mostOthers">So many others are kept; if there are more, none is.</param>
internal sealed class KeptTasks(TaskKinds asked, int mostOthers)
{
    /// <summary>None.</summary>
    public static KeptTasks None { get; } = new(TaskKinds.None, 0);

    private int _others;

    /// <summary>All tasks of these kinds are kept; known when the walk is over.</summary>
    public TaskKinds Kinds => mostOthers > 0 && _others <= mostOthers ? TaskKinds.Plain | TaskKinds.Completed : asked;

    /// <summary>Some completed tasks are kept.</summary>
    public bool HasCompleted => (asked & TaskKinds.Completed) != 0 || mostOthers > 0;

    /// <summary>Whether to keep a task.</summary>
    /// <param name="hasMethod">It is that of an async method.</param>
    /// <param name="isWaitedFor">Somebody waits for it.</param>
    /// <param name="isCompleted">It has completed.</param>
    public bool Takes(bool hasMethod, bool isWaitedFor, bool isCompleted)
    {
        bool isPlain = (asked & TaskKinds.Plain) != 0;
        if (!isCompleted && (hasMethod || !isWaitedFor))
            return false;
        return (isCompleted ? (asked & TaskKinds.Completed) != 0 && (hasMethod || isPlain) : isPlain)
            || (Volatile.Read(ref _others) < mostOthers ? Interlocked.Increment(ref _others) <= mostOthers : mostOthers > 0 && TooMany());
    }

    /// <summary>Those of the kinds that are kept.</summary>
    public TaskRow[] Of(TaskRow[] rows)
        => Kinds == (TaskKinds.Plain | TaskKinds.Completed) ? rows : Array.FindAll(rows, row => row.IsCompleted ? (asked & TaskKinds.Completed) != 0 && (row.IsStateMachine || (asked & TaskKinds.Plain) != 0) : (asked & TaskKinds.Plain) != 0);

    private bool TooMany()
    {
        Volatile.Write(ref _others, mostOthers + 1);
        return false;
    }
}

/// <summary>Such a task, as a row.</summary>
/// <param name="Address">The task.</param>
/// <param name="MethodTable">Its type.</param>
/// <param name="Awaiter">Its <c>m_continuationObject</c>; says nothing about a completed one.</param>
/// <param name="IsCompleted">It has completed.</param>
/// <param name="IsStateMachine">It is the box of a compiler-made state machine.</param>
internal readonly record struct TaskRow(ulong Address, ulong MethodTable, ulong Awaiter, bool IsCompleted, bool IsStateMachine);
