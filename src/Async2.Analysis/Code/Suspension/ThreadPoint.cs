using Async2.Analysis.Metadata.Symbols;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Code.Suspension;

/// <summary>Where a physical frame of a thread is.</summary>
/// <param name="ILOffset">Of the call, where it could be told, or else of the statement; null if the debug info does not say.</param>
/// <param name="Source">Its line.</param>
/// <param name="Exactness">What was proven.</param>
internal readonly record struct ThreadPoint(int? ILOffset, SourceLine? Source, Exactness Exactness);
