namespace Async2.Analysis.Nodes;

/// <summary>One Continuation of the heap, as a row: no object for each of a million frames.</summary>
internal readonly record struct ContinuationRow(ulong Address, ulong Next, ulong Resume, ulong Data, ulong GCData, uint State);
