using System.Collections.Immutable;
using System.IO.Compression;
using System.Reflection.PortableExecutable;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Symbols;

/// <summary>What the debug directory of an image says about its PDB. PE-COFF.md in dotnet/runtime describes the entries.</summary>
internal sealed class DebugDirectory
{
    /// <summary>Largest embedded PDB in bytes after inflating; deflate can make 1,000 bytes out of one.</summary>
    private const int MaxEmbeddedBytes = 256 * 1024 * 1024;

    /// <summary>A linker writes four.</summary>
    private const int MaxEntries = 64;

    /// <summary>"MPDB", then the inflated size, then the deflated bytes.</summary>
    private const uint EmbeddedMagic = 0x4244504D;

    private DebugDirectoryEntry? _embedded;

    public CodeView? CodeView { get; private set; }

    public PdbChecksum? Checksum { get; private set; }

    public bool HasEmbeddedPdb => _embedded is not null;

    /// <summary>Entries that cannot be read are left out: an image without any still has its IL.</summary>
    public static DebugDirectory Read(PEReader pe)
    {
        var directory = new DebugDirectory();
        var entries = UntrustedBytes.Read<ImmutableArray<DebugDirectoryEntry>?>(pe, () => pe.ReadDebugDirectory()) ?? [];
        foreach (var entry in entries.Take(MaxEntries))
            UntrustedBytes.Read(pe, () => directory.Take(pe, entry));
        return directory;
    }

    private bool Take(PEReader pe, DebugDirectoryEntry entry)
    {
        switch (entry.Type)
        {
            case DebugDirectoryEntryType.CodeView when CodeView is null:
                var data = pe.ReadCodeViewDebugDirectoryData(entry);
                CodeView = new CodeView(new PdbId(data.Guid, entry.Stamp), data.Age, CappedText.Cap(data.Path), entry.IsPortableCodeView);
                break;
            case DebugDirectoryEntryType.PdbChecksum when Checksum is null:
                var checksum = pe.ReadPdbChecksumDebugDirectoryData(entry);
                Checksum = new PdbChecksum(CappedText.Cap(checksum.AlgorithmName), [.. checksum.Checksum]);
                break;
            case DebugDirectoryEntryType.EmbeddedPortablePdb:
                _embedded ??= entry;
                break;
        }

        return true;
    }

    /// <summary>
    /// Inflates the embedded PDB. The size that stands before it is a claim: no memory is taken for it before bytes came.
    /// </summary>
    public byte[]? InflatePdb(PEReader pe)
    {
        if (_embedded is not { } entry) return null;
        var data = pe.GetSectionData(entry.DataRelativeVirtualAddress).GetReader(0, entry.DataSize);
        if (data.ReadUInt32() != EmbeddedMagic) return null;
        var size = data.ReadInt32();
        if (size is <= 0 or > MaxEmbeddedBytes) return null;
        using var deflate = new DeflateStream(new MemoryStream(data.ReadBytes(data.RemainingBytes)), CompressionMode.Decompress);
        using var inflated = new MemoryStream();
        var chunk = new byte[64 * 1024];
        for (int read; (read = deflate.Read(chunk, 0, chunk.Length)) > 0;)
        {
            if (inflated.Length + read > size) return null;
            inflated.Write(chunk, 0, read);
        }

        return inflated.Length == size ? inflated.ToArray() : null;
    }
}
