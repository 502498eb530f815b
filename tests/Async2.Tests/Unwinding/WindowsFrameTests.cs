using System.Buffers.Binary;
using Async2.Analysis.Targets.Pe;
using Async2.Analysis.Threads.Unwinding;
using FsCheck;
using FsCheck.Fluent;

namespace Async2.Tests.Unwinding;

/// <summary>Callers of native functions of Windows, from every instruction of functions as compilers write them; and any bytes, which a dump may have in place of tables.</summary>
public sealed class WindowsFrameTests
{
    private const ulong Start = 0x1_8000_0000, Top = 0x7000, Returns = 0x1_8000_0999;
    private const uint Code = 0x1000, Infos = 0x2000, Table = 0x3000;
    private const int Size = 0x4000;

    // rbx, rbp and rdi of the caller; what they are in the function.
    private static readonly Dictionary<int, ulong> Saved = new() { [3] = 0xb0b, [5] = 0xbeb, [7] = 0xd1d };

    // push rbx; sub rsp, 20h; nop; nop; add rsp, 20h; pop rbx; ret
    private static readonly byte[] Plain = [0x40, 0x53, 0x48, 0x83, 0xec, 0x20, 0x90, 0x90, 0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3];
    private static readonly byte[] PlainInfo = [1, 6, 2, 0, 6, 0x32, 2, 0x30];

    // push rbp; push rdi; sub rsp, 128h; lea rbp, [rsp+20h]; nop; lea rsp, [rbp+108h]; pop rdi; pop rbp; jmp [...]
    private static readonly byte[] Framed = [0x40, 0x55, 0x57, 0x48, 0x81, 0xec, 0x28, 1, 0, 0, 0x48, 0x8d, 0x6c, 0x24, 0x20, 0x90, 0x48, 0x8d, 0xa5, 8, 1, 0, 0, 0x5f, 0x5d, 0x48, 0xff, 0x25, 0, 0, 0, 0];
    private static readonly byte[] FramedInfo = [1, 15, 5, 0x25, 15, 3, 10, 1, 0x25, 0, 3, 0x70, 2, 0x50];

    /// <summary>Where it is, and how far its stack pointer is below the caller's, which has popped the return address; -1: by the frame's register.</summary>
    [Theory]
    [InlineData(0, 8, false)]
    [InlineData(2, 16, true)]
    [InlineData(6, 48, true)]
    [InlineData(7, 48, true)]
    [InlineData(8, 48, true)]
    [InlineData(12, 16, true)]
    [InlineData(13, 8, false)]
    public void Every_instruction_of_a_function_has_the_same_caller(uint offset, int below, bool hasPushed)
    {
        byte[] library = Library(Plain, PlainInfo, [(0, (uint)Plain.Length, 0)]);
        Stack stack = hasPushed ? new(below, (16, 3)) : new(below);
        Same(CallerOf(library, offset, stack.Registers(hasPushed ? [3] : []), stack), 3);
    }

    [Theory]
    [InlineData(0, 8, 0)]
    [InlineData(2, 16, 1)]
    [InlineData(3, 24, 2)]
    [InlineData(10, 320, 2)]
    [InlineData(23, 24, 2)]
    [InlineData(24, 16, 1)]
    [InlineData(25, 8, 0)]
    public void One_with_a_frame_pointer_too(uint offset, int below, int pushed)
    {
        byte[] library = Library(Framed, FramedInfo, [(0, (uint)Framed.Length, 0)]);
        var stack = new Stack(below, (16, 5), (24, 7));
        Same(CallerOf(library, offset, stack.Registers(pushed == 2 ? [5, 7] : pushed == 1 ? [5] : []), stack), 5, 7);
    }

    /// <summary>Its stack pointer may be anywhere then: it allocates.</summary>
    [Theory]
    [InlineData(15)]
    [InlineData(16)]
    public void Where_the_frame_pointer_is_set_the_stack_pointer_does_not_matter(uint offset)
    {
        byte[] library = Library(Framed, FramedInfo, [(0, (uint)Framed.Length, 0)]);
        var stack = new Stack(2000, (16, 5), (24, 7));
        ulong[] registers = stack.Registers([7]);
        registers[5] = Top + 8 - 320 + 0x20;
        Same(CallerOf(library, offset, registers, stack), 5, 7);
    }

    [Fact]
    public void A_function_without_an_entry_changes_nothing()
    {
        var stack = new Stack(8);
        Same(CallerOf(Library(Plain, PlainInfo, []), 3, stack.Registers([]), stack), 3, 5, 7);
    }

    /// <summary>A cold part lies elsewhere, saves one more, and is left by a jump to the rest: which is not the end of the function.</summary>
    [Fact]
    public void Parts_of_a_function_are_undone_one_after_the_other()
    {
        // mov [rsp+40h], rdi; nop; jmp back
        byte[] cold = [0x48, 0x89, 0x7c, 0x24, 0x40, 0x90, 0xe9, 0xdc, 0xff, 0xff, 0xff], infos = new byte[64];
        PlainInfo.CopyTo(infos, 0);
        byte[] coldInfo = [0x21, 5, 2, 0, 5, 0x74, 8, 0, .. Entry(Code, Code + (uint)Plain.Length, Infos)];
        coldInfo.CopyTo(infos, 16);
        byte[] library = Library([.. Plain, .. new byte[0x20 - Plain.Length], .. cold], infos, [(0, (uint)Plain.Length, 0), (0x20, 0x20 + (uint)cold.Length, 16)]);
        // At rsp + 40h is the caller's home of an argument.
        var stack = new Stack(48, (16, 3), (-16, 7));
        foreach (uint offset in (uint[])[0x25, 0x26])
            Same(CallerOf(library, offset, stack.Registers([3, 7]), stack), 3, 7);
        Same(CallerOf(library, 0x20, stack.Registers([3]), stack), 3, 7);
    }

    /// <summary>Who has called is behind the call; that may be the end of the function, and no instruction of it.</summary>
    [Fact]
    public void A_frame_that_has_called_belongs_to_the_function_of_the_call()
    {
        byte[] library = Library([.. Plain[..8], .. Plain], PlainInfo, [(0, 8, 0), (8, 8 + (uint)Plain.Length, 0x40)]);
        var stack = new Stack(48, (16, 3));
        ulong[] registers = stack.Registers([3]), called = [.. registers];
        called[4] -= 8;
        NativeFrame caller = NativeFrame.Of(Context(called, Start)).CallerWith(registers, Start + Code + 8, wasCalling: true)!;
        Same(WindowsFrame.CallerOf(caller, Of(library), Start, stack.Read, out _), 3);
    }

    /// <summary>Windows' own libraries say where functions end; their instructions say it as well. An entry may stand for another one.</summary>
    [Fact]
    public void Newer_tables_and_entries_for_others_are_read()
    {
        byte[] infos = [.. (byte[])[2, 6, 4, 0, 2, 0x16, 0, 6, 6, 0x32, 2, 0x30, 0, 0, 0, 0], .. Entry(Code, Code + (uint)Plain.Length, Infos)];
        byte[] library = Library(Plain, infos, [(0, (uint)Plain.Length, 16 + 1)]);
        var stack = new Stack(48, (16, 3));
        Same(CallerOf(library, 7, stack.Registers([3]), stack), 3);
    }

    /// <summary>What the processor interrupted goes on at that instruction, not behind a call.</summary>
    [Fact]
    public void An_interruption_leads_to_where_it_was()
    {
        byte[] library = Library([0x90, 0x90], [1, 0, 1, 0, 0, 0x0a], [(0, 2, 0)]);
        NativeFrame? before = WindowsFrame.CallerOf(NativeFrame.Of(Context(new Stack(48).Registers([]), Start + Code + 1)), Of(library), Start, (address, bytes) => { BinaryPrimitives.WriteUInt64LittleEndian(bytes, address + 0x100); return true; }, out _);
        Assert.NotNull(before);
        Assert.Equal((Top + 8 - 48 + 0x100, Top + 8 - 48 + 24 + 0x100, false), (before.Instruction, before.Stack, before.WasCalling));
    }

    [Fact]
    public void A_thread_begins_where_nobody_is_returned_to()
    {
        byte[] library = Library(Plain, PlainInfo, [(0, (uint)Plain.Length, 0)]);
        Assert.Null(WindowsFrame.CallerOf(NativeFrame.Of(Context(new Stack(48).Registers([3]), Start + Code + 7)), Of(library), Start, (_, bytes) => { bytes.Clear(); return true; }, out bool isOutermost));
        Assert.True(isOutermost);
    }

    [Fact]
    public void Any_bytes_have_a_caller_above_or_none()
        => Prop.ForAll<byte[], ushort>((bytes, place) =>
        {
            byte[] library = Library(Plain, PlainInfo, [(0, (uint)Plain.Length, 0)]);
            for (int i = 0; i < bytes.Length; i++)
                library[(place + i) % Size] = bytes[i];
            // Also in the table, its entries and the code.
            for (int i = 0; i < bytes.Length; i++)
                library[(int)(i % 3 == 0 ? Infos : i % 3 == 1 ? Table : Code) + i] = bytes[i];
            NativeFrame frame = NativeFrame.Of(Context(new Stack(48).Registers([]), Start + Code + (uint)(place % 16)));
            NativeFrame? caller = WindowsFrame.CallerOf(frame, Of(library), Start, (_, memory) => { memory.Fill(1); return true; }, out _);
            return caller is null || caller.Stack > frame.Stack;
        }).QuickCheckThrowOnFailure();

    private static void Same(NativeFrame? caller, params int[] saved)
    {
        Assert.NotNull(caller);
        Assert.Equal((Returns, Top + 8, true), (caller.Instruction, caller.Stack, caller.WasCalling));
        ulong[] registers = caller.ByInstructions();
        Assert.All(saved, register => Assert.Equal(Saved[register], registers[register]));
    }

    private static NativeFrame? CallerOf(byte[] library, uint offset, ulong[] registers, Stack stack)
        => WindowsFrame.CallerOf(NativeFrame.Of(Context(registers, Start + Code + offset)), Of(library), Start, stack.Read, out _);

    private static FunctionTable Of(byte[] library)
    {
        uint count = BinaryPrimitives.ReadUInt32LittleEndian(library.AsSpan(Size - 4));
        PeRead read = (offset, buffer) =>
        {
            if (offset > (uint)(Size - buffer.Length))
                return false;
            library.AsSpan((int)offset, buffer.Length).CopyTo(buffer);
            return true;
        };
        return new(read, Table, count * RuntimeFunction.Size);
    }

    private static byte[] Library(byte[] code, byte[] infos, (uint Begin, uint End, uint Info)[] functions)
    {
        byte[] library = new byte[Size];
        code.CopyTo(library, (int)Code);
        infos.CopyTo(library, (int)Infos);
        for (int i = 0; i < functions.Length; i++)
            Entry(Code + functions[i].Begin, Code + functions[i].End, Infos + functions[i].Info).CopyTo(library, (int)Table + (i * RuntimeFunction.Size));
        BinaryPrimitives.WriteInt32LittleEndian(library.AsSpan(Size - 4), functions.Length);
        return library;
    }

    private static byte[] Entry(uint begin, uint end, uint info)
    {
        byte[] entry = new byte[RuntimeFunction.Size];
        BinaryPrimitives.WriteUInt32LittleEndian(entry, begin);
        BinaryPrimitives.WriteUInt32LittleEndian(entry.AsSpan(4), end);
        BinaryPrimitives.WriteUInt32LittleEndian(entry.AsSpan(8), info);
        return entry;
    }

    // rax to r15 of a CONTEXT are at 0x78.
    private static byte[] Context(ulong[] registers, ulong instruction)
    {
        byte[] context = new byte[ThreadContexts.Size];
        for (int i = 0; i < registers.Length; i++)
            BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(0x78 + (i * 8)), registers[i]);
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(0xf8), instruction);
        return context;
    }

    /// <summary>A stack on whose top, 8 bytes below that of the caller, the return address is, and below it saved registers.</summary>
    /// <param name="below">How far the stack pointer is below that of the caller.</param>
    /// <param name="saved">Registers, and how far below.</param>
    private sealed class Stack(int below, params (int Below, int Register)[] saved)
    {
        /// <summary>All have the caller's values but those that the function has changed.</summary>
        public ulong[] Registers(int[] changed)
        {
            ulong[] registers = new ulong[16];
            foreach ((int register, ulong value) in Saved)
                registers[register] = changed.Contains(register) ? 0xbad : value;
            registers[4] = Top + 8 - (ulong)below;
            return registers;
        }

        public bool Read(ulong address, Span<byte> buffer)
        {
            buffer.Clear();
            long from = (long)(Top + 8) - (long)address;
            ulong value = from == 8 ? Returns : saved.FirstOrDefault(place => place.Below == from) is { Register: > 0 and var register } ? Saved[register] : 0xdead;
            BinaryPrimitives.WriteUInt64LittleEndian(buffer, value);
            return true;
        }
    }
}
