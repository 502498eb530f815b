namespace Async2.Analysis.Nodes;

/// <summary>A worker of Parallel.ForEachAsync or ForAsync, or a fork of an async computation of F#.</summary>
/// <param name="Operation">The operation.</param>
/// <param name="Promise">What the caller awaits.</param>
/// <param name="Called">The delegate that it calls for each element; 0 for none, or if that is not known.</param>
internal readonly record struct LoopBody(ulong Operation, ulong Promise, ulong Called);
