using System.Runtime.InteropServices;
using Async2.Analysis.Code.Decoding;
using Async2.Tests.Support.Drawing;
using Iced.Intel;
using static Iced.Intel.AssemblerRegisters;

namespace Async2.Tests.Code;

/// <summary>Blocks as the JIT makes them: which call belongs to which state.</summary>
public sealed class X64SuspensionDecoderTests
{
    private const ulong Callee = 0x7f80_1300_0000;

    private readonly NativeDrawing _drawing = new();

    private Assembler Code => _drawing.Code;

    [Fact]
    public void Code_that_is_not_optimised_tests_the_continuation_on_the_stack()
    {
        Label block = Code.CreateLabel(), back = Code.CreateLabel();
        _drawing.Mark("pay");
        Code.call(Callee);
        Code.mov(__dword_ptr[rbp - 0x14], eax);
        Code.mov(__qword_ptr[rbp - 0x20], rcx);
        Code.cmp(__qword_ptr[rbp - 0x20], 0);
        Code.jne(block);
        Code.Label(ref back);
        Code.ret();
        Code.Label(ref block);
        Code.mov(rdi, __qword_ptr[rbp - 0x20]);
        _drawing.StoreResume(rcx, rax);
        Code.mov(__qword_ptr[rbp - 0x30], rax);
        Code.mov(rcx, __qword_ptr[rbp - 0x30]);
        Code.mov(__dword_ptr[rcx + 0x28], 3);
        Code.mov(__dword_ptr[rcx + 0x2C], 8);
        Code.jmp(back);
        Assert.Equal("3: pay -> 0x7f8013000000", _drawing.Decode());
    }

    [Fact]
    public void Optimised_code_stores_state_and_flags_at_once()
    {
        Label block = Awaits("pay");
        Code.ret();
        Code.Label(ref block);
        _drawing.StoreResume(rcx, rax);
        Code.mov(rcx, (8ul << 32) | 5);
        Code.mov(__qword_ptr[rax + 0x28], rcx);
        Code.ret();
        Assert.Equal("5: pay -> 0x7f8013000000", _drawing.Decode());
    }

    [Fact]
    public void An_immediate_of_eight_bytes_is_flags_and_state_as_well()
    {
        Label block = Awaits("pay");
        Code.ret();
        Code.Label(ref block);
        _drawing.StoreResume(rcx, rax);
        Code.mov(__qword_ptr[rax + 0x28], 7);
        Code.ret();
        Assert.Equal("7: pay -> 0x7f8013000000", _drawing.Decode());
    }

    /// <summary>As on Windows, where optimised code has its locals around rsp. With a frame pointer the same store would be one into the frame.</summary>
    [Theory]
    [InlineData(false, "4: pay -> 0x7f8013000000")]
    [InlineData(true, "")]
    public void A_body_without_a_frame_pointer_has_continuations_in_rbp(bool hasFramePointer, string expected)
    {
        Code.push(rbp);
        Code.sub(rsp, 0x40);
        if (hasFramePointer)
            Code.lea(rbp, __[rsp + 0x40]);
        Label block = Awaits("pay");
        Code.ret();
        Code.Label(ref block);
        _drawing.StoreResume(rcx, rax);
        Code.mov(rbp, rax);
        Code.mov(__qword_ptr[rbp + 0x28], 4);
        Code.ret();
        // The stub's own store is by rax; that of the state by rbp.
        Assert.Equal(expected, _drawing.Decode());
    }

    /// <summary>Where code lies below 4 GB: a constant of 32 bits, in a register or at once in the continuation.</summary>
    [Theory]
    [InlineData(0x1250_4320u, true)]
    [InlineData(0x1250_4320u, false)]
    [InlineData(0xf250_4320u, false)]
    public void Low_constants_are_found_and_decoded(uint resume, bool isStored)
    {
        Label block = Awaits("pay");
        Code.ret();
        Code.Label(ref block);
        Code.call(NativeDrawing.Start + 0x9000);
        if (isStored)
            Code.mov(__qword_ptr[rax + 0x20], (int)resume);
        else
        {
            Code.mov(ecx, resume);
            Code.mov(__qword_ptr[rax + 0x20], rcx);
        }
        Code.mov(__qword_ptr[rax + 0x28], 6);
        Code.ret();
        byte[] code = _drawing.Assemble();
        Assert.Equal(6u, Assert.Single(X64SuspensionDecoder.Decode(code, NativeDrawing.Start, resume)).State);
        var found = new List<(ulong, int)>();
        ConstantLoads.Scan(code, NativeDrawing.Start, resume, resume, (constant, operand) => found.Add((constant, operand)));
        Assert.Equal([(resume, code.AsSpan().IndexOf(BitConverter.GetBytes(resume)))], found);
    }

    /// <summary>Calls where code lies below 2 GB: through a slot at an address of its own, and with an address of 32 bits.</summary>
    [Theory]
    [InlineData("FF1425D0513468", 0x683451d0ul, true)]
    [InlineData("488B0425D0513468FFD0", 0x683451d0ul, true)]
    [InlineData("B8D0513468FFD0", 0x683451d0ul, false)]
    [InlineData("FF15D0513468", 0x1_683451d6ul, true)]
    [InlineData("FF5020", 0ul, false)]
    public void Low_calls_have_their_targets(string code, ulong target, bool isSlot)
    {
        List<Instruction> instructions = new X64Code(Convert.FromHexString(code), 0x1_0000_0000).Instructions;
        AwaitCall call = X64CallTarget.Of(instructions, instructions.Count - 1);
        Assert.Equal((target, isSlot), (call.Target, call.ThroughSlot));
    }

    [Fact]
    public void State_zero_comes_from_a_register_that_was_cleared()
    {
        Label block = Awaits("pay");
        Code.ret();
        Code.Label(ref block);
        _drawing.StoreResume(rcx, rax);
        Code.xor(ecx, ecx);
        Code.mov(__qword_ptr[rax + 0x28], rcx);
        Code.ret();
        Assert.Equal("0: pay -> 0x7f8013000000", _drawing.Decode());
    }

    [Fact]
    public void A_state_that_is_computed_is_not_guessed()
    {
        Label block = Awaits("pay");
        Code.ret();
        Code.Label(ref block);
        _drawing.StoreResume(rcx, rax);
        Code.mov(ecx, 4);
        Code.add(ecx, edx);
        Code.mov(__dword_ptr[rax + 0x28], ecx);
        Code.ret();
        Assert.Equal("", _drawing.Decode());
    }

    [Fact]
    public void Without_a_store_of_the_state_there_is_no_block()
    {
        Label block = Awaits("pay");
        Code.ret();
        Code.Label(ref block);
        _drawing.StoreResume(rcx, rax);
        Code.ret();
        Code.mov(__dword_ptr[rax + 0x28], 3);
        Assert.Equal("", _drawing.Decode());
    }

    [Fact]
    public void States_follow_the_blocks_and_not_the_calls()
    {
        Label first = Awaits("pay"), second = Awaits("ship");
        Code.ret();
        Block(second, 1);
        Block(first, 2);
        Assert.Equal("1: ship -> 0x7f8013000000 | 2: pay -> 0x7f8013000000", _drawing.Decode());
    }

    [Fact]
    public void A_block_that_was_merged_names_all_its_calls()
    {
        Label block = Awaits("pay");
        _drawing.Mark("ship");
        Code.call(Callee + 0x100);
        Code.test(rcx, rcx);
        Code.jne(block);
        Code.ret();
        Block(block, 2);
        Assert.Equal("2: pay -> 0x7f8013000000, ship -> 0x7f8013000100", _drawing.Decode());
    }

    [Fact]
    public void The_constant_of_another_stub_is_another_chains_block()
    {
        Label block = Awaits("pay");
        Code.ret();
        Code.Label(ref block);
        Code.mov(rcx, NativeDrawing.Resume + 0x20);
        Code.mov(__qword_ptr[rax + 0x20], rcx);
        Code.mov(__dword_ptr[rax + 0x28], 3);
        Code.ret();
        Assert.Equal("", _drawing.Decode());
    }

    [Fact]
    public void A_block_that_no_branch_leads_to_has_no_call()
    {
        Code.call(Callee);
        Code.nop();
        _drawing.StoreResume(rcx, rax);
        Code.mov(__dword_ptr[rax + 0x28], 3);
        Code.ret();
        Assert.Equal("3:", _drawing.Decode());
    }

    [Fact]
    public void Stores_into_locals_are_not_mistaken_for_stores_into_the_object()
    {
        Label block = Awaits("pay");
        Code.ret();
        Code.Label(ref block);
        Code.mov(rcx, NativeDrawing.Resume);
        Code.mov(__qword_ptr[rbp - 0x20], rcx);
        Code.mov(__dword_ptr[rbp - 0x18], 99);
        Code.mov(__qword_ptr[rax + 0x20], rcx);
        Code.mov(__dword_ptr[rax + 0x28], 6);
        Code.ret();
        Assert.Equal("6: pay -> 0x7f8013000000", _drawing.Decode());
    }

    [Theory]
    [InlineData("register", "pay -> 0x7f8013000000")]
    [InlineData("slot", "pay -> [0x7f8012341000]")]
    [InlineData("register from slot", "pay -> [0x7f8012341000]")]
    [InlineData("object", "pay")]
    [InlineData("register from object", "pay")]
    [InlineData("register that was changed", "pay")]
    public void The_target_of_a_call_is_known_as_far_as_the_code_shows_it(string through, string expected)
    {
        const ulong slot = NativeDrawing.Start + 0x1000;
        if (through == "register") Code.mov(r11, Callee);
        if (through == "register from slot") Code.AddInstruction(NativeDrawing.Load(Register.R11, slot));
        if (through == "register from object") Code.mov(r11, __qword_ptr[rdi + 0x40]);
        if (through == "register that was changed")
        {
            Code.mov(r11, Callee);
            Code.add(r11, 0x20);
        }
        _drawing.Mark("pay");
        if (through == "slot") Code.AddInstruction(NativeDrawing.CallThrough(slot));
        else if (through == "object") Code.call(__qword_ptr[rax + 0x18]);
        else Code.call(r11);
        Label block = Code.CreateLabel();
        Code.test(rcx, rcx);
        Code.jne(block);
        Code.ret();
        Block(block, 1);
        Assert.Equal("1: " + expected, _drawing.Decode());
    }

    [Fact]
    public void There_is_no_decoder_for_other_processors()
    {
        Assert.NotNull(SuspensionDecoders.For(Architecture.X64));
        Assert.All([Architecture.Arm64, Architecture.X86, Architecture.Arm, (Architecture)99], a => Assert.Null(SuspensionDecoders.For(a)));
    }

    private Label Awaits(string name)
    {
        Label block = Code.CreateLabel();
        _drawing.Mark(name);
        Code.call(Callee);
        Code.test(rcx, rcx);
        Code.jne(block);
        return block;
    }

    private void Block(Label start, int state)
    {
        Code.Label(ref start);
        _drawing.StoreResume(rcx, rax);
        Code.mov(__dword_ptr[rax + 0x28], state);
        Code.mov(__dword_ptr[rax + 0x2C], 8);
        Code.ret();
    }
}
