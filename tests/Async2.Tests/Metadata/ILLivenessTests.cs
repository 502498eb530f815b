using System.Reflection.Metadata;
using Async2.Analysis.Metadata.IL;

namespace Async2.Tests.Metadata;

/// <summary>Which variables IL can still read: one byte for each instruction, the await is the nop at 0.</summary>
public sealed class ILLivenessTests
{
    private const byte Nop = (byte)ILOpCode.Nop, Ret = (byte)ILOpCode.Ret, Pop = (byte)ILOpCode.Pop;
    private const byte Load0 = (byte)ILOpCode.Ldloc_0, Store0 = (byte)ILOpCode.Stloc_0;

    [Fact]
    public void A_variable_that_is_read_behind_the_await_is_needed() => Assert.True(IsNeeded(Nop, Load0, Pop, Ret));

    [Fact]
    public void A_variable_that_is_written_first_is_not_needed() => Assert.False(IsNeeded(Nop, Nop, Store0, Load0, Pop, Ret));

    [Fact]
    public void A_variable_that_was_only_read_before_is_not_needed() => Assert.False(new ILLiveness([Load0, Pop, Nop, Ret]).IsLocalNeeded(0, 2));

    [Fact]
    public void Every_kind_of_reference_counts()
        // nop; ldc 0; brtrue.s +2; stloc.0; br.s +2 ; ldloc.0; pop; ret
        => Assert.True(IsNeeded(Nop, (byte)ILOpCode.Ldc_i4_0, (byte)ILOpCode.Brtrue_s, 3, Store0, (byte)ILOpCode.Br_s, 2, Load0, Pop, Ret));

    [Fact]
    public void A_loop_leads_back()
        // ldloc.0; pop; nop (the await); br.s to 0
        => Assert.True(new ILLiveness([Load0, Pop, Nop, (byte)ILOpCode.Br_s, 0xfb]).IsLocalNeeded(0, 2));

    [Fact]
    public void An_address_counts_as_a_read() => Assert.True(IsNeeded(Nop, (byte)ILOpCode.Ldloca_s, 0, Pop, Ret));

    [Theory]
    [InlineData(new byte[] { Nop, (byte)ILOpCode.Ldarg_2, Pop, Ret }, true)]
    [InlineData(new byte[] { Nop, (byte)ILOpCode.Ldarga_s, 2, Pop, Ret }, true)]
    [InlineData(new byte[] { Nop, (byte)ILOpCode.Ldnull, (byte)ILOpCode.Starg_s, 2, (byte)ILOpCode.Ldarg_2, Pop, Ret }, false)]
    [InlineData(new byte[] { Nop, (byte)ILOpCode.Ldarg_1, Pop, Ret }, false)]
    public void Arguments_are_followed_as_well(byte[] il, bool needed) => Assert.Equal(needed, new ILLiveness(il).IsArgumentNeeded(2, 0));

    [Fact]
    public void Bytes_that_are_not_IL_need_nothing()
    {
        Assert.False(new ILLiveness([]).IsLocalNeeded(0, 0));
        Assert.False(new ILLiveness([0xff, 0xff]).IsLocalNeeded(0, 0));
        Assert.False(new ILLiveness([Nop, (byte)ILOpCode.Br_s, 0x70]).IsLocalNeeded(0, 99));
    }

    [Theory]
    [InlineData(new byte[] { (byte)ILOpCode.Ldarg_0, (byte)ILOpCode.Ldobj, 1, 0, 0, 2, (byte)ILOpCode.Stloc_3 }, 3)]
    [InlineData(new byte[] { (byte)ILOpCode.Ldarg_0, (byte)ILOpCode.Ldobj, 1, 0, 0, 2, (byte)ILOpCode.Stloc_s, 9 }, 9)]
    [InlineData(new byte[] { (byte)ILOpCode.Ldarg_0, (byte)ILOpCode.Ldobj, 1, 0, 0, 2, (byte)ILOpCode.Ldarg_1 }, null)]
    [InlineData(new byte[] { (byte)ILOpCode.Ldarg_1, (byte)ILOpCode.Ldobj, 1, 0, 0, 2, (byte)ILOpCode.Stloc_3 }, null)]
    [InlineData(new byte[] { (byte)ILOpCode.Ldarg_0, (byte)ILOpCode.Ldobj, 1 }, null)]
    [InlineData(new byte[0], null)]
    public void The_copy_used_by_a_struct_method_is_found(byte[] il, int? slot) => Assert.Equal(slot, ILVariable.CopyOfThis(il));

    private static bool IsNeeded(params byte[] il) => new ILLiveness(il).IsLocalNeeded(0, 0);
}
