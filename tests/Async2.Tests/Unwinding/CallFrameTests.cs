using Async2.Analysis.Threads.Unwinding;
using FsCheck;
using FsCheck.Fluent;

namespace Async2.Tests.Unwinding;

/// <summary>Numbers, rules and programs of .eh_frame, as compilers write them; and any bytes, which a dump may have in their place.</summary>
public sealed class CallFrameTests
{
    private static FrameDescription Description(byte[] common, byte[] own) => new(0x1000, 1, -8, 16, IsSignal: false, 0, common, own);

    [Theory]
    [InlineData(new byte[] { 0x7f }, 127UL)]
    [InlineData(new byte[] { 0x80, 0x01 }, 128UL)]
    [InlineData(new byte[] { 0xe5, 0x8e, 0x26 }, 624485UL)]
    public void Unsigned_numbers_have_seven_bits_a_byte(byte[] bytes, ulong value) => Assert.Equal(value, new DwarfCursor(bytes, 0).Unsigned());

    [Theory]
    [InlineData(new byte[] { 0x7f }, -1L)]
    [InlineData(new byte[] { 0x3f }, 63L)]
    [InlineData(new byte[] { 0xc0, 0xbb, 0x78 }, -123456L)]
    public void Signed_numbers_have_their_sign_in_the_last_byte(byte[] bytes, long value) => Assert.Equal(value, new DwarfCursor(bytes, 0).Signed());

    [Fact]
    public void What_is_read_past_the_end_is_nothing()
    {
        var cursor = new DwarfCursor([0x80], 0x10);
        Assert.Equal(0UL, cursor.Unsigned());
        Assert.True(cursor.IsBroken);
    }

    [Theory]
    [InlineData(0x1b, 0x0ffcUL)]
    [InlineData(0x3b, 0x1ffcUL)]
    public void An_address_counts_from_its_place_or_from_the_table(byte encoding, ulong expected)
        => Assert.Equal(expected, new DwarfCursor([0xfc, 0xff, 0xff, 0xff], 0x1000).Pointer(encoding, 0x2000));

    // push rbp (1 byte), mov rbp, rsp (3 bytes), ..., pop rbp, ret: what gcc writes for it.
    [Theory]
    [InlineData(0x1000UL, 7, 8, false)]
    [InlineData(0x1001UL, 7, 16, true)]
    [InlineData(0x1004UL, 6, 16, true)]
    [InlineData(0x1008UL, 7, 8, false)]
    [InlineData(0x1009UL, 6, 16, true)]
    public void Rules_hold_from_the_instruction_that_they_follow(ulong instruction, long register, long offset, bool isSaved)
    {
        byte[] own = [0x41, 0x0e, 0x10, 0x86, 0x02, 0x43, 0x0d, 0x06, 0x0a, 0x44, 0xc6, 0x0c, 0x07, 0x08, 0x41, 0x0b];
        CallFrame? rules = CallFrame.At(Description([0x0c, 0x07, 0x08, 0x90, 0x01], own), instruction);
        Assert.NotNull(rules);
        Assert.Equal((register, offset), (rules.Frame.Value, rules.FrameOffset));
        Assert.Equal(isSaved ? RegisterRuleKind.At : RegisterRuleKind.Same, rules[6].Kind);
        Assert.Equal((RegisterRuleKind.At, -8L), (rules[16].Kind, rules[16].Value));
        Assert.False(rules.IsOutermost);
    }

    [Fact]
    public void A_thread_begins_where_the_return_address_is_undefined()
        => Assert.True(CallFrame.At(Description([0x0c, 0x07, 0x08, 0x90, 0x01], [0x07, 0x10]), 0x1000)?.IsOutermost);

    // The last two are what follows in an entry, and plain code.
    [Theory]
    [InlineData(new byte[] { 0xff, 0x25, 0x9a, 0x80, 0x02, 0x00, 0x68 }, true)]
    [InlineData(new byte[] { 0xf2, 0xff, 0x25, 0x9a, 0x80, 0x02, 0x00 }, true)]
    [InlineData(new byte[] { 0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0x9a }, true)]
    [InlineData(new byte[] { 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25 }, true)]
    [InlineData(new byte[] { 0xff, 0x25 }, false)]
    [InlineData(new byte[] { 0x68, 0x10, 0x00, 0x00, 0x00, 0xe9, 0xe0 }, false)]
    [InlineData(new byte[] { 0x55, 0x48, 0x89, 0xe5, 0xff, 0x25, 0x00 }, false)]
    public void A_jump_to_another_library_needs_no_description(byte[] code, bool isJump)
        => Assert.Equal(isJump, LinkageJump.IsAt(0x1000, (address, buffer) => address == 0x1000 && buffer.Length <= code.Length && code.AsSpan(0, buffer.Length).TryCopyTo(buffer)));

    // The jump table of a library: 8 bytes on the stack, 16 from the 11th byte of an entry on.
    [Theory]
    [InlineData(0x2005UL, 0x7008UL)]
    [InlineData(0x200bUL, 0x7010UL)]
    public void Programs_compute_an_address(ulong instruction, ulong expected)
    {
        ulong[] registers = new ulong[CallFrame.Registers];
        (registers[7], registers[16]) = (0x7000, instruction);
        byte[] program = [0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22];
        Assert.Equal(expected, DwarfExpression.Compute(program, registers, (_, _) => false));
    }

    [Fact]
    public void Any_bytes_have_rules_or_none()
        => Prop.ForAll<byte[], byte[]>((common, own) =>
        {
            CallFrame? rules = CallFrame.At(Description(common, own), 0x1010);
            ulong[] registers = new ulong[CallFrame.Registers];
            ulong? computed = DwarfExpression.Compute(own, registers, (_, bytes) => { bytes.Clear(); return true; });
            byte[] context = new byte[1232];
            NativeFrame? caller = rules is null ? null : NativeFrame.Of(context).CallerBy(rules, isSignal: false, (_, bytes) => { bytes.Fill(1); return true; });
            return caller is null || caller.Stack > 0 || computed is null;
        }).QuickCheckThrowOnFailure();
}
