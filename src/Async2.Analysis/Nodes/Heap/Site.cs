namespace Async2.Analysis.Nodes.Heap;

/// <summary>Where continuations were made: the stub that resumes them, and the number of the suspension point in its native body.</summary>
/// <param name="Resume">Address of the stub; 0 for the final continuation of a chain, which only holds the result.</param>
/// <param name="State">The number.</param>
internal readonly record struct Site(ulong Resume, uint State);
