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

/// <summary>Such a task, as a row.</summary>
/// <param name="Address">The task.</param>
/// <param name="MethodTable">Its type.</param>
/// <param name="Awaiter">Its <c>m_continuationObject</c>; says nothing about a completed one.</param>
/// <param name="IsCompleted">It has completed.</param>
/// <param name="IsStateMachine">It is the box of a compiler-made state machine.</param>
internal readonly record struct TaskRow(ulong Address, ulong MethodTable, ulong Awaiter, bool IsCompleted, bool IsStateMachine);
