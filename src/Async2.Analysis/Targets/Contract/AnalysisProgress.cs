namespace Async2.Analysis.Targets.Contract;

/// <summary>One step of a running analysis, for a progress line.</summary>
/// <param name="Phase">What is being done, <c>reading the heap</c>.</param>
/// <param name="Fraction">0 to 1, or null when the end is not known.</param>
/// <param name="Objects">Objects of the heap that were read in this phase so far; null in other phases.</param>
public readonly record struct AnalysisProgress(string Phase, double? Fraction, long? Objects = null);
