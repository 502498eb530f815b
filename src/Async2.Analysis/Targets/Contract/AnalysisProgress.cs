namespace Async2.Analysis.Targets.Contract;

/// <summary>One step of a running analysis, for a progress line.</summary>
/// <param name="Phase">The current activity, <c>reading the heap</c>.</param>
/// <param name="Fraction">0 to 1, or null if the end is unknown.</param>
/// <param name="Objects">Objects of the heap that were read in this phase so far; null in other phases.</param>
public readonly record struct AnalysisProgress(string Phase, double? Fraction, long? Objects = null);
