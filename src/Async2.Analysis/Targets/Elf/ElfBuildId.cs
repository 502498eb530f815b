using System.Buffers.Binary;
using Async2.Analysis.Targets.Files;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Elf;

/// <summary>
/// The GNU build id of a 64-bit ELF file on disk: the note that identifies a build of a runtime
/// (ELF gABI note section; type NT_GNU_BUILD_ID = 3, name "GNU").
/// </summary>
internal static class ElfBuildId
{
    private const int HeaderSize = 64;
    private const int ProgramHeaderSize = 56;
    private const uint ProgramNote = 4;
    private const int NoteLimit = 64 * 1024;

    /// <summary>The build id of the file at a path; null if it has none, or cannot be read.</summary>
    public static byte[]? Read(string path)
    {
        using SafeFileHandle? file = RegularFile.Open(path);
        return file is null ? null : Read(file);
    }

    /// <summary>The build id of an open file, which stays open.</summary>
    public static byte[]? Read(SafeFileHandle file)
    {
        try
        {
            using var borrowed = new SafeFileHandle(file.DangerousGetHandle(), ownsHandle: false);
            using var stream = new FileStream(borrowed, FileAccess.Read);
            stream.Position = 0;
            return Read(stream);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException or ArgumentException)
        {
            return null;
        }
    }

    private static byte[]? Read(FileStream file)
    {
        Span<byte> header = stackalloc byte[HeaderSize];
        if (file.ReadAtLeast(header, HeaderSize, throwOnEndOfStream: false) < HeaderSize
            || BinaryPrimitives.ReadUInt32BigEndian(header) != 0x7f454c46 || header[4] != 2)
            return null;
        ulong table = BinaryPrimitives.ReadUInt64LittleEndian(header[32..]);
        int count = BinaryPrimitives.ReadUInt16LittleEndian(header[56..]);
        if (table > (ulong)file.Length)
            return null;
        Span<byte> program = stackalloc byte[ProgramHeaderSize];
        for (int i = 0; i < count; i++)
        {
            file.Position = (long)table + i * ProgramHeaderSize;
            if (file.ReadAtLeast(program, ProgramHeaderSize, throwOnEndOfStream: false) < ProgramHeaderSize)
                return null;
            if (BinaryPrimitives.ReadUInt32LittleEndian(program) == ProgramNote && ReadNotes(file, program) is { } id)
                return id;
        }
        return null;
    }

    private static byte[]? ReadNotes(FileStream file, ReadOnlySpan<byte> program)
    {
        ulong offset = BinaryPrimitives.ReadUInt64LittleEndian(program[8..]);
        ulong size = Math.Min(BinaryPrimitives.ReadUInt64LittleEndian(program[32..]), NoteLimit);
        if (offset > (ulong)file.Length)
            return null;
        byte[] bytes = new byte[size];
        file.Position = (long)offset;
        return FindBuildId(bytes.AsSpan(0, file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false)));
    }

    private static byte[]? FindBuildId(ReadOnlySpan<byte> notes)
    {
        while (notes.Length >= 12)
        {
            uint nameSize = BinaryPrimitives.ReadUInt32LittleEndian(notes);
            uint valueSize = BinaryPrimitives.ReadUInt32LittleEndian(notes[4..]);
            uint type = BinaryPrimitives.ReadUInt32LittleEndian(notes[8..]);
            if (nameSize > NoteLimit || valueSize > NoteLimit)
                return null;
            int valueStart = 12 + (int)((nameSize + 3) & ~3u);
            int end = valueStart + (int)((valueSize + 3) & ~3u);
            if (end > notes.Length)
                return null;
            if (type == 3 && notes.Slice(12, (int)nameSize).SequenceEqual("GNU\0"u8))
                return notes.Slice(valueStart, (int)valueSize).ToArray();
            notes = notes[end..];
        }
        return null;
    }
}
