using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Symbols;

/// <summary>A place in source code as the PDB has it.</summary>
/// <param name="Document">Path on the machine that compiled, raw, capped at <see cref="CappedText.MaxLength"/> chars.</param>
/// <param name="Line">1-based line that the statement begins on.</param>
/// <param name="ILOffset">Where the statement begins in IL.</param>
internal sealed record SourceLine(string Document, int Line, int Column, int EndLine, int ILOffset);
