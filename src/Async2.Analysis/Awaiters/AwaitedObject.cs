namespace Async2.Analysis.Awaiters;

/// <summary>The object that the innermost frame of an operation waits for.</summary>
/// <param name="Address">The task or value task source.</param>
/// <param name="TypeName">Its type as the runtime spells it.</param>
/// <param name="IsCompleted">It has completed, so the operation is scheduled or runs; known for tasks only.</param>
/// <param name="PointsBack">It names this operation as a waiter, which proves that it is waited for.</param>
internal readonly record struct AwaitedObject(ulong Address, string? TypeName, bool IsCompleted, bool PointsBack)
{
    /// <summary>A task, for which completion is known.</summary>
    public bool IsTask { get; init; }

    /// <summary>Neither a task nor a source: a custom awaiter of the program.</summary>
    public bool IsCustom { get; init; }
}
