namespace Async2.Analysis.Nodes.Heap;

/// <summary>One Continuation of the heap, with all its fields.</summary>
internal readonly record struct ContinuationRow(ulong Address, ulong Next, ulong Resume, ulong Data, ulong GCData, uint State);
