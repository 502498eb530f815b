namespace Async2.Benchmarks;

/// <summary>A measurement could not be made; the others go on, and the exit code is 1.</summary>
internal sealed class BenchException(string message) : Exception(message);
