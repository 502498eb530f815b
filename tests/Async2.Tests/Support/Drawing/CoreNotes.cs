using System.Buffers.Binary;

namespace Async2.Tests.Support.Drawing;

/// <summary>The registers of a thread in an ELF core, taken out (tools that write cores lose some) or changed.</summary>
internal static class CoreNotes
{
    private const uint NoteSegment = 4;
    private const uint PrStatus = 1;
    private const uint NothingKnown = 0x7fff0000;

    // Of struct elf_prstatus on 64-bit Linux.
    private const int ThreadIdOffset = 32;

    // And of its registers, struct user_regs_struct of x64.
    private const int InstructionOffset = 112 + (16 * 8), StackOffset = 112 + (19 * 8);

    /// <summary>Makes the NT_PRSTATUS note of a thread one that nobody knows.</summary>
    /// <param name="path">The core, which is changed.</param>
    /// <param name="thread">Id of the operating system.</param>
    public static void Forget(string path, uint thread)
    {
        using FileStream file = File.Open(path, FileMode.Open, FileAccess.ReadWrite);
        file.Position = NoteOf(file, thread) + 8;
        byte[] type = new byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(type, NothingKnown);
        file.Write(type);
    }

    /// <summary>Makes a thread of an x64 process stand elsewhere.</summary>
    /// <param name="path">The core, which is changed.</param>
    /// <param name="thread">Id of the operating system.</param>
    /// <param name="instruction">Its next instruction.</param>
    /// <param name="stack">Its stack pointer.</param>
    public static void Move(string path, uint thread, ulong instruction, ulong stack)
    {
        using FileStream file = File.Open(path, FileMode.Open, FileAccess.ReadWrite);
        long content = ContentOf(file, NoteOf(file, thread));
        foreach ((int offset, ulong value) in new[] { (InstructionOffset, instruction), (StackOffset, stack) })
        {
            byte[] bytes = new byte[sizeof(ulong)];
            BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
            file.Position = content + offset;
            file.Write(bytes);
        }
    }

    private static long NoteOf(FileStream file, uint thread)
    {
        byte[] header = Read(file, 0, 64);
        long table = BinaryPrimitives.ReadInt64LittleEndian(header.AsSpan(32));
        int count = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(56));
        for (int i = 0; i < count; i++)
        {
            byte[] segment = Read(file, table + (i * 56L), 56);
            if (BinaryPrimitives.ReadUInt32LittleEndian(segment) == NoteSegment
                && Find(file, BinaryPrimitives.ReadInt64LittleEndian(segment.AsSpan(8)), BinaryPrimitives.ReadInt64LittleEndian(segment.AsSpan(32)), thread) is { } note)
                return note;
        }
        throw new InvalidOperationException($"the core has no registers of thread {thread}");
    }

    private static long? Find(FileStream file, long start, long length, uint thread)
    {
        for (long at = start; at + 12 <= start + length;)
        {
            byte[] note = Read(file, at, 12);
            long content = ContentOf(file, at);
            if (BinaryPrimitives.ReadUInt32LittleEndian(note.AsSpan(8)) == PrStatus
                && BinaryPrimitives.ReadUInt32LittleEndian(Read(file, content + ThreadIdOffset, 4)) == thread)
                return at;
            at = content + Padded(BinaryPrimitives.ReadUInt32LittleEndian(note.AsSpan(4)));
        }
        return null;
    }

    private static long ContentOf(FileStream file, long note) => note + 12 + Padded(BinaryPrimitives.ReadUInt32LittleEndian(Read(file, note, 4)));

    private static long Padded(uint size) => (size + 3) & ~3u;

    private static byte[] Read(FileStream file, long at, int count)
    {
        byte[] bytes = new byte[count];
        file.Position = at;
        file.ReadExactly(bytes);
        return bytes;
    }
}
