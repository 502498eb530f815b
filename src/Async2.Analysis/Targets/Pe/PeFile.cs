using System.Buffers.Binary;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets.Files;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Pe;

/// <summary>The file of a library of Windows. It replaces constant data that a dump does not have.</summary>
internal sealed class PeFile : ILibraryFile
{
    private const int HeaderBytes = 4096;

    private readonly SafeFileHandle _file;

    private PeFile(SafeFileHandle file, PeHeader header) => (_file, Header) = (file, header);

    /// <summary>What its headers say.</summary>
    public PeHeader Header { get; }

    /// <summary>Takes ownership of an open file; it is closed if it is not a 64-bit library.</summary>
    public static PeFile? Open(SafeFileHandle file)
    {
        if (HeaderOf(file) is { } header)
            return new(file, header);
        file.Dispose();
        return null;
    }

    /// <summary>The headers of an open file; null if it is not a 64-bit library.</summary>
    public static PeHeader? HeaderOf(SafeFileHandle file) => UntrustedBytes.Read(file, () =>
    {
        byte[] head = new byte[HeaderBytes];
        return PeHeader.Read(head.AsSpan(0, RandomAccess.Read(file, head, 0)));
    });

    /// <inheritdoc/>
    public bool TryRead(ulong address, Span<byte> buffer)
    {
        foreach (PeSection section in Header.Sections)
        {
            if (address < section.Address || address - section.Address >= section.FileBytes)
                continue;
            ulong inside = address - section.Address;
            return section.FileBytes - inside >= (ulong)buffer.Length && TryReadAt((long)(section.Offset + inside), buffer);
        }
        return false;
    }

    /// <summary>All pointers of a 64-bit image are what a loader adds to (IMAGE_REL_BASED_DIR64).</summary>
    public bool TryReadPointer(ulong address, ulong bias, out ulong value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        bool isRead = TryRead(address, bytes);
        ulong own = BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        value = own == 0 ? 0 : own - Header.Base + bias;
        return isRead;
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    private bool TryReadAt(long offset, Span<byte> buffer)
    {
        try
        {
            return RandomAccess.Read(_file, buffer, offset) == buffer.Length;
        }
        catch (Exception e) when (e is IOException or ArgumentException)
        {
            return false;
        }
    }
}
