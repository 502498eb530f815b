using System.Globalization;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Tests.Support.Drawing;
using Iced.Intel;
using static Iced.Intel.AssemblerRegisters;

namespace Async2.Tests.Code.Locals;

/// <summary>Suspension blocks as the JIT makes them: what goes from where into the arrays of the continuation.</summary>
public sealed class X64SaveDecoderTests
{
    private const ulong Barrier = 0x7f80_1400_0040;
    private static readonly ContinuationFields Fields = new(Data: 0x10, GCData: 0x18, Resume: 0x20, FirstElement: 0x10);

    private static readonly SuspensionBlock Block = new(0, NativeDrawing.Start, []) { Resume = NativeDrawing.Resume };

    private readonly NativeDrawing _drawing = new();
    private X64Convention _convention = X64Convention.Unix;

    private Assembler Code => _drawing.Code;

    [Fact]
    public void Optimised_code_keeps_the_arrays_in_registers()
    {
        Begin();
        Reference(r14, 0x18, () => Code.mov(rsi, r15));
        Code.mov(rax, __qword_ptr[r14 + 0x10]);
        Code.mov(__dword_ptr[rax + 0x10], ebx);
        Code.mov(r12d, __dword_ptr[rbp - 0x44]);
        Code.mov(__byte_ptr[rax + 0x14], r12b);
        Assert.Equal("r15 -> gc+8:8 | r3 -> data+0:4 | [r5-68] -> data+4:1", Decode());
    }

    [Fact]
    public void Code_that_is_not_optimised_keeps_the_arrays_in_its_frame()
    {
        Code.call(Barrier + 0x100);
        Code.mov(__qword_ptr[rbp - 0x210], rax);
        Code.mov(rax, __qword_ptr[rbp - 0x210]);
        Code.mov(rcx, NativeDrawing.Resume);
        Code.mov(__qword_ptr[rax + 0x20], rcx);
        Code.mov(rax, __qword_ptr[rbp - 0x210]);
        Code.mov(rax, __qword_ptr[rax + 0x18]);
        Code.mov(__qword_ptr[rbp - 0x218], rax);
        Code.mov(rax, __qword_ptr[rbp - 0x218]);
        Code.lea(rdi, __qword_ptr[rax + 0x20]);
        Code.mov(rsi, __qword_ptr[rbp - 0x20]);
        Code.call(Barrier);
        Assert.Equal("[r5-32] -> gc+16:8", Decode());
    }

    [Fact]
    public void A_struct_goes_to_both_arrays_without_the_references_that_were_cleared()
    {
        Begin();
        Reference(r14, 0x18, () => Code.mov(rsi, __qword_ptr[rbp - 0x38]));
        Code.xor(eax, eax);
        Code.mov(__qword_ptr[rbp - 0x38], rax);
        Code.mov(rax, __qword_ptr[r14 + 0x10]);
        Code.vmovdqu(ymm0, __ymmword_ptr[rbp - 0x40]);
        Code.vmovdqu(__ymmword_ptr[rax + 0x10], ymm0);
        Assert.Equal("[r5-56] -> gc+8:8 | [r5-64] -> data+0:8 | [r5-48] -> data+16:16", Decode());
    }

    [Theory]
    [InlineData("movups")]
    [InlineData("vmovsd")]
    [InlineData("memcpy")]
    [InlineData("rep movsq")]
    [InlineData("movsq")]
    public void Values_are_copied_in_many_ways(string how)
    {
        Begin();
        Code.mov(rax, __qword_ptr[r14 + 0x10]);
        int size = Copy(how);
        Assert.Equal($"[r5-64] -> data+16:{size}", Decode());
    }

    [Fact]
    public void A_helper_copies_references_from_memory_and_moves_on()
    {
        Begin();
        Code.mov(rax, __qword_ptr[r14 + 0x18]);
        Code.lea(rsi, __qword_ptr[rbp - 0x40]);
        Code.lea(rdi, __qword_ptr[rax + 0x10]);
        Code.call(Barrier + 0x40);
        Code.call(Barrier + 0x40);
        Assert.Equal("[r5-64] -> gc+0:8 | [r5-56] -> gc+8:8", Decode());
    }

    [Fact]
    public void A_register_that_a_call_may_change_no_longer_has_the_variable()
    {
        Begin();
        Reference(r14, 0x10, () => Code.mov(rsi, rbx));
        Code.mov(rax, __qword_ptr[r14 + 0x10]);
        Code.mov(__qword_ptr[rax + 0x10], rcx);
        Code.add(rbx, 4);
        Code.mov(__qword_ptr[rax + 0x18], rbx);
        Code.mov(__qword_ptr[rax + 0x20], 7);
        Assert.Equal("r3 -> gc+0:8", Decode());
    }

    [Fact]
    public void Stores_into_other_objects_are_not_saves()
    {
        Begin();
        Code.call(Barrier + 0x200);
        Code.mov(rcx, __qword_ptr[rax + 0x10]);
        Code.mov(__qword_ptr[rcx + 0x10], rbx);
        Code.mov(__qword_ptr[rdx + 0x10], rbx);
        Assert.Equal("", Decode());
    }

    [Fact]
    public void Code_after_the_block_is_ignored()
    {
        Begin();
        Code.mov(rax, __qword_ptr[r14 + 0x10]);
        Code.ret();
        Code.mov(__qword_ptr[rax + 0x10], rbx);
        Assert.Equal("", Decode());
    }

    /// <summary>rdi and rsi survive calls there, rcx and rdx are the arguments, and rbp is a register like any other in a body without a frame pointer.</summary>
    [Fact]
    public void Windows_has_another_convention()
    {
        _convention = new(IsWindows: true, HasFramePointer: false);
        Code.call(Barrier + 0x100);
        Code.mov(rbx, rax);
        Code.mov(rcx, NativeDrawing.Resume);
        Code.mov(__qword_ptr[rbx + 0x20], rcx);
        Code.mov(r13, __qword_ptr[rbx + 0x18]);
        Code.lea(rcx, __qword_ptr[r13 + 0x18]);
        Code.mov(rdx, rdi);
        Code.call(Barrier);
        Code.lea(rcx, __qword_ptr[r13 + 0x20]);
        Code.mov(rdx, rbp);
        Code.call(Barrier);
        Code.mov(rcx, __qword_ptr[rbx + 0x10]);
        Code.mov(__dword_ptr[rcx + 0x10], esi);
        Code.vmovsd(__qword_ptr[rcx + 0x18], xmm6);
        Assert.Equal("r7 -> gc+8:8 | r5 -> gc+16:8 | r6 -> data+0:4 | r38 -> data+8:8", Decode());
    }

    /// <summary>A struct that is passed by a hidden reference: the address is in a register, or in a slot of the caller's frame.</summary>
    [Fact]
    public void What_is_only_known_by_its_address_is_saved_from_there()
    {
        _convention = new(IsWindows: true, HasFramePointer: true);
        Code.call(Barrier + 0x100);
        Code.mov(rbx, rax);
        Code.mov(rcx, NativeDrawing.Resume);
        Code.mov(__qword_ptr[rbx + 0x20], rcx);
        Code.mov(rax, __qword_ptr[rbx + 0x10]);
        Code.vmovups(xmm0, __xmmword_ptr[rdi]);
        Code.vmovups(__xmmword_ptr[rax + 0x10], xmm0);
        Code.mov(rcx, __qword_ptr[rbp + 0x18]);
        Code.mov(rdx, __qword_ptr[rcx + 8]);
        Code.mov(__qword_ptr[rax + 0x20], rdx);
        Assert.Equal("[r7+0] -> data+0:16 | [[r5+24]+8] -> data+16:8", Decode());
        Assert.Equal(new NativePlace(true, 7, 0), new NativePlace(false, 7, 0).Behind);
        Assert.Equal(new NativePlace(true, 5, 0, Slot: 24), new NativePlace(true, 5, 24).Behind);
        Assert.Null(new NativePlace(true, 5, 0, Slot: 24).Behind);
    }

    [Fact]
    public void Random_bytes_never_throw()
    {
        var random = new Random(4);
        for (int round = 0; round < 3000; round++)
        {
            byte[] code = new byte[random.Next(300)];
            random.NextBytes(code);
            SaveMap map = X64SaveDecoder.Decode(code, Block, Fields, round % 2 == 0 ? X64Convention.Unix : new(IsWindows: true, HasFramePointer: false));
            Assert.True(map.Ranges.Length <= code.Length * 8, Convert.ToHexString(code));
        }
    }

    [Theory]
    [InlineData(-64, 16, "0:8@gc+8, 8:8@data+0")]
    [InlineData(-60, 4, "0:4@gc+12")]
    [InlineData(-72, 8, "")]
    [InlineData(-72, 64, "8:8@gc+8, 16:24@data+0")]
    public void A_save_map_has_the_pieces_of_a_variable(int offset, int size, string expected)
    {
        var map = new SaveMap([new(new(true, 5, -64), 8, true, 8), new(new(true, 5, -56), 24, false, 0), new(new(true, 4, -64), 8, false, 99)]);
        string pieces = string.Join(", ", map.PiecesOf(new(true, 5, offset), size).Select(p => $"{p.At}:{p.Size}@{(p.InGCData ? "gc" : "data")}+{p.Offset}"));
        Assert.Equal(expected, pieces);
    }

    private int Copy(string how)
    {
        switch (how)
        {
            case "movups":
                Code.vmovups(xmm3, __xmmword_ptr[rbp - 0x40]);
                Code.vmovups(__xmmword_ptr[rax + 0x20], xmm3);
                return 16;
            case "vmovsd":
                Code.vmovsd(xmm1, __qword_ptr[rbp - 0x40]);
                Code.vmovsd(__qword_ptr[rax + 0x20], xmm1);
                return 8;
            case "memcpy":
                Addresses();
                Code.mov(edx, 200);
                Code.call(Barrier + 0x80);
                return 200;
            case "rep movsq":
                Addresses();
                Code.mov(ecx, 25);
                Code.rep.movsq();
                return 200;
            default:
                Addresses();
                Code.movsq();
                return 8;
        }
    }

    private void Addresses()
    {
        Code.lea(rsi, __qword_ptr[rbp - 0x40]);
        Code.lea(rdi, __qword_ptr[rax + 0x20]);
    }

    // AllocContinuation, and the new object in r14.
    private void Begin()
    {
        _drawing.StoreResume(rdi, rax);
        Code.mov(r14, rax);
    }

    private void Reference(AssemblerRegister64 continuation, int offset, Action load)
    {
        Code.mov(rax, __qword_ptr[continuation + 0x18]);
        Code.lea(rdi, __qword_ptr[rax + offset]);
        load();
        Code.call(Barrier);
    }

    private string Decode() => string.Join(" | ", X64SaveDecoder.Decode(_drawing.Assemble(), Block, Fields, _convention).Ranges
        .Select(r => $"{Show(r.Source)} -> {(r.InGCData ? "gc" : "data")}+{r.Offset}:{r.Size}"));

    private static string Show(NativePlace place)
    {
        string start = place.Slot is { } slot ? $"[r{place.Register}{Signed(slot)}]" : $"r{place.Register}";
        return place.InMemory ? $"[{start}{Signed(place.Offset)}]" : start;
    }

    private static string Signed(int number) => number.ToString("+0;-0", CultureInfo.InvariantCulture);
}
