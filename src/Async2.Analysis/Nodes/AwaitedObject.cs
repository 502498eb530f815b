namespace Async2.Analysis.Nodes;

/// <summary>The object that the innermost frame of a chain waits for.</summary>
/// <param name="Address">The task or value task source.</param>
/// <param name="TypeName">Its type as the runtime spells it.</param>
/// <param name="IsCompleted">It has completed, so the chain is scheduled or runs; only told of tasks.</param>
/// <param name="PointsBack">It names this chain's task as a waiter: proof that the chain waits for it.</param>
internal sealed record AwaitedObject(ulong Address, string? TypeName, bool IsCompleted, bool PointsBack);
