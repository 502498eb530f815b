using System.Buffers.Binary;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets.Files;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Elf;

/// <summary>
/// The file of an ELF library, read by its addresses before relocation. It replaces constant data that a dump
/// does not have: createdump leaves out data that can be read from files.
/// </summary>
internal sealed class ElfFile : ILibraryFile
{
    private const int RelocationSize = 24;
    private const int RelocationLimit = 64 * 1024 * 1024;

    private readonly FileStream _file;
    private readonly ElfDynamic? _dynamic;
    private Dictionary<ulong, (ulong Info, ulong Addend)>? _relocations;

    private ElfFile(FileStream file, ElfProgramHeaders headers)
    {
        _file = file;
        Headers = headers;
        _dynamic = ElfDynamic.Read(headers, TryRead, 0);
    }

    public ElfProgramHeaders Headers { get; }

    /// <summary>Null if it is not a 64-bit ELF file.</summary>
    public static ElfFile? Open(string path) => RegularFile.Open(path) is { } file ? Open(file) : null;

    /// <summary>Takes ownership of an open file; it is closed if it is not a 64-bit ELF file.</summary>
    public static ElfFile? Open(SafeFileHandle handle) => UntrustedBytes.Read(handle, () =>
    {
        var file = new FileStream(handle, FileAccess.Read);
        if (ElfProgramHeaders.Read(file) is { } headers)
            return new ElfFile(file, headers);
        file.Dispose();
        return null;
    });

    /// <summary>Fills the whole buffer, or returns false. The part of a segment beyond its file is not available: it is not constant.</summary>
    public bool TryRead(ulong address, Span<byte> buffer)
    {
        foreach (ElfSegment segment in Headers.Segments)
        {
            if (segment.Type != ElfSegment.Load || address < segment.Address || address - segment.Address >= segment.Bytes)
                continue;
            ulong inside = address - segment.Address;
            if (segment.Bytes - inside < (ulong)buffer.Length || segment.Offset + inside > (ulong)_file.Length)
                return false;
            return Read((long)(segment.Offset + inside), buffer);
        }
        return false;
    }

    /// <summary>Reads a pointer as a loader would have made it.</summary>
    /// <param name="address">Address in the file.</param>
    /// <param name="bias">What the loader added to all addresses.</param>
    /// <param name="value">The pointer in memory.</param>
    public bool TryReadPointer(ulong address, ulong bias, out ulong value)
    {
        Span<byte> bytes = stackalloc byte[8];
        value = 0;
        if (!TryRead(address, bytes))
            return false;
        ulong own = BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        if (!Relocations().TryGetValue(address, out (ulong Info, ulong Addend) relocation))
        {
            // Null, or packed relocations (DT_RELR), which keep the address in place.
            value = own == 0 ? 0 : own + bias;
            return true;
        }
        switch ((uint)relocation.Info)
        {
            case 8 or 1027: // R_X86_64_RELATIVE, R_AARCH64_RELATIVE
                value = bias + relocation.Addend;
                return true;
            case 1 or 257 when ElfSymbols.ValueOf(TryRead, _dynamic!, (uint)(relocation.Info >> 32)) is { } symbol: // R_X86_64_64, R_AARCH64_ABS64
                value = bias + symbol + relocation.Addend;
                return true;
            default:
                return false;
        }
    }

    public void Dispose() => _file.Dispose();

    private Dictionary<ulong, (ulong Info, ulong Addend)> Relocations()
    {
        if (_relocations is not null)
            return _relocations;
        _relocations = [];
        if (_dynamic is not { Relocations: not 0, RelocationBytes: > 0 and <= RelocationLimit } dynamic)
            return _relocations;
        byte[] table = new byte[dynamic.RelocationBytes];
        if (!TryRead(dynamic.Relocations, table))
            return _relocations;
        for (ReadOnlySpan<byte> rest = table; rest.Length >= RelocationSize; rest = rest[RelocationSize..])
            _relocations[BinaryPrimitives.ReadUInt64LittleEndian(rest)] = (BinaryPrimitives.ReadUInt64LittleEndian(rest[8..]), BinaryPrimitives.ReadUInt64LittleEndian(rest[16..]));
        return _relocations;
    }

    private bool Read(long offset, Span<byte> buffer)
    {
        try
        {
            _file.Position = offset;
            return _file.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false) == buffer.Length;
        }
        catch (IOException)
        {
            return false;
        }
    }
}
