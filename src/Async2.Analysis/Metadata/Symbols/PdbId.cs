namespace Async2.Analysis.Metadata.Symbols;

/// <summary>
/// Identity of a portable PDB: what the module's debug directory asks for and what the PDB says of itself. Both are made from the
/// content, so equal ids mean the same build. The age of Windows PDBs is always 1 here and says nothing.
/// </summary>
/// <param name="Stamp">Time stamp of the debug directory entry; the last 4 of the 20 bytes in the PDB.</param>
internal readonly record struct PdbId(Guid Guid, uint Stamp)
{
    public override string ToString() => $"{Guid:N}{Stamp:x8}";
}
