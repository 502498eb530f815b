using Async2.Analysis.Code.Decoding;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Code;

public sealed class X64FlowDecoderTests
{
    private const ulong Address = 0x7F00_0000_1000;

    [Theory]
    [InlineData("C3", "0>")]
    // jne 4; nop; ret; 4: ret
    [InlineData("75 02 90 C3 C3", "0>4,2 2> 4>")]
    // jmp 3; int3; 3: jmp 0
    [InlineData("EB 01 CC EB FB", "0>3 2> 3>0")]
    // A catch clause returns where the method goes on: 0: nop; 1: ret; 2: lea rax, [1]; ret
    [InlineData("90 C3 48 8D 05 F8 FF FF FF C3", "0>1 1> 2>1")]
    // The start of the body is what jump tables count from: lea rcx, [0]; jmp rcx
    [InlineData("48 8D 0D F9 FF FF FF FF E1", "0>")]
    // A jump out of the body: jne far away; ret
    [InlineData("0F 85 00 10 00 00 C3", "0>6 6>")]
    public void Code_is_split_at_jumps_and_their_targets(string bytes, string blocks)
        => Assert.Equal(blocks, FlowDrawing.Show(X64FlowDecoder.Decode(Convert.FromHexString(bytes.Replace(" ", "", StringComparison.Ordinal)), Address)));

    [Fact]
    public void No_code_has_no_blocks() => Assert.Empty(X64FlowDecoder.Decode([], Address).Blocks);

    [Theory]
    [InlineData(0u, 0)]
    [InlineData(3u, 1)]
    [InlineData(4u, 2)]
    [InlineData(5u, -1)]
    public void A_block_is_found_by_an_offset_in_it(uint offset, int block)
        => Assert.Equal(block, X64FlowDecoder.Decode([0x75, 0x02, 0x90, 0xC3, 0xC3], Address).IndexOf(offset));
}
