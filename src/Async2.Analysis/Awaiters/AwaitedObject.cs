namespace Async2.Analysis.Awaiters;

/// <summary>The object that the innermost frame of an operation waits for.</summary>
/// <param name="Address">The task or value task source.</param>
/// <param name="TypeName">Its type as the runtime spells it.</param>
/// <param name="IsCompleted">It has completed, so the operation is scheduled or runs; only told of tasks.</param>
/// <param name="PointsBack">It names this operation as a waiter: proof that it is waited for.</param>
internal readonly record struct AwaitedObject(ulong Address, string? TypeName, bool IsCompleted, bool PointsBack)
{
    /// <summary>A task, which says whether it has completed.</summary>
    public bool IsTask { get; init; }

    /// <summary>Neither a task nor a source: an awaiter of the program's own.</summary>
    public bool IsCustom { get; init; }
}
