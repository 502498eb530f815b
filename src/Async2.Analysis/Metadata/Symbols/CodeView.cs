namespace Async2.Analysis.Metadata.Symbols;

/// <summary>The CodeView entry of a module: which PDB belongs to it and where the compiler put it.</summary>
/// <param name="Path">As the compiler wrote it: of another machine, perhaps of another system, and not to be trusted.</param>
/// <param name="IsPortable">False for a PDB in the old Windows format, which is not read.</param>
internal sealed record CodeView(PdbId Id, int Age, string Path, bool IsPortable);

/// <summary>Hash of the PDB that the module was built with.</summary>
internal sealed record PdbChecksum(string Algorithm, byte[] Hash);
