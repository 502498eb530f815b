using Async2.Analysis.Code.DebugInfo;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Code.Locals;

public sealed class NativeVariablesTests
{
    private const ulong Address = 0x7f00_0000_1234;

    private static readonly ILMappingEntry[] Bounds = AwaitDrawing.Bounds("0:prolog 10:0 20:none 40:11 60:epilog");

    private static readonly NativeVariable[] Some =
    [
        new(0, 0x5c, 0, VariableHome.Register, new(false, 7, 0)),
        new(0x67, 0x11a3, 0, VariableHome.Stack, new(true, 5, -8)),
        new(0, 0x5c, 4, VariableHome.TwoRegisters, new(false, 8, 0)),
        new(0xb31, 0xc2b, 8, VariableHome.FloatRegister, new(false, 33, 0)),
        new(0, 0x57, 9, VariableHome.Stack, new(true, 4, 24)),
        new(0x10, 0x20, NativeVariable.GenericContext, VariableHome.StackByRef, new(true, 5, 0, Slot: -1000)),
        new(0x10, 0x20, 3, VariableHome.StackAndRegister, new(true, 4, 16)),
        new(0x10, 0x20, 3, VariableHome.RegisterAndStack, new(false, 3, 0)),
        new(0x10, 0x20, 3, VariableHome.RegisterByRef, new(true, 3, 0)),
        new(0x10, 0x20, 3, VariableHome.FixedVarargs, new(false, 9, 0)),
    ];

    [Fact]
    public void Debug_info_of_the_JIT_is_read()
    {
        Assert.True(NativeVariables.TryRead(DebugInfoWriter.Variables(Some), out NativeVariable[] variables));
        Assert.Equal(Some, variables);
    }

    [Theory]
    [InlineData(null, null, false)]
    [InlineData(3, 77, true)]
    [InlineData(0, null, true)]
    public void They_follow_the_bounds(int? locals, int? rich, bool instrumented)
    {
        byte[] blob = DebugInfoWriter.Write(Bounds, locals, rich, instrumented, DebugInfoWriter.Variables(Some));
        Assert.Equal(Some, NativeDebugInfo.ReadVariables(ByteMemory.At(Address, blob), Address));
        Assert.Equal(Bounds, NativeDebugInfo.ReadBounds(ByteMemory.At(Address, blob), Address));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Address - 1)]
    [InlineData(ulong.MaxValue)]
    public void Without_readable_memory_there_are_none(ulong address)
        => Assert.Empty(NativeDebugInfo.ReadVariables(ByteMemory.At(Address, DebugInfoWriter.Write(Bounds)), address));

    [Fact]
    public void Truncated_bytes_give_all_or_none()
    {
        byte[] packed = DebugInfoWriter.Variables(Some);
        for (int length = 0; length < packed.Length; length++)
        {
            Assert.False(NativeVariables.TryRead(packed.AsSpan(0, length), out NativeVariable[] variables));
            Assert.Empty(variables);
        }
    }

    [Theory]
    [InlineData(new uint[] { 0xFFFFFFFF, 0, 0, 0, 0 })]
    [InlineData(new uint[] { 1, 0, 10, 4, 11, 0 })]
    [InlineData(new uint[] { 1, 0, 10, 4, 0xFFFFFFFF, 0 })]
    [InlineData(new uint[] { 3, 0, 10, 4, 0, 3 })]
    public void Absurd_numbers_give_none(uint[] numbers)
        => Assert.False(NativeVariables.TryRead(DebugInfoWriter.Nibbles(numbers), out _));

    [Fact]
    public void Random_bytes_never_throw()
    {
        var random = new Random(5);
        byte[] valid = DebugInfoWriter.Write(Bounds, variables: DebugInfoWriter.Variables(Some));
        for (int round = 0; round < 20_000; round++)
        {
            byte[] blob = new byte[random.Next(120)];
            random.NextBytes(blob);
            if (round % 2 == 0)
                blob = [.. valid.Select(b => random.Next(8) == 0 ? (byte)random.Next(256) : b)];
            NativeDebugInfo.TryReadVariables(blob, out NativeVariable[] variables);
            Assert.True(variables.Length <= blob.Length, Convert.ToHexString(blob));
        }
    }
}
