namespace Async2.Analysis.Nodes;

/// <summary>One Continuation of the heap, as a row: no object for each of a million frames.</summary>
internal readonly record struct ContinuationRow(ulong Address, ulong Next, ulong Resume, ulong Data, ulong GCData, uint State);

/// <summary>One incomplete ThunkTask of the heap: the root of a chain of continuations.</summary>
/// <param name="Address">The task.</param>
/// <param name="Head">Its <c>m_stateObject</c>: the innermost continuation at the last suspension.</param>
/// <param name="Awaiter">Its <c>m_continuationObject</c>: who waits for it.</param>
internal readonly record struct ThunkTaskRow(ulong Address, ulong Head, ulong Awaiter);
