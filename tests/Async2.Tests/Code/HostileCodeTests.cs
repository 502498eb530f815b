using Async2.Analysis.Code.Decoding;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Code;

/// <summary>What a dump calls code may be anything.</summary>
public sealed class HostileCodeTests
{
    private const ulong Resume = NativeDrawing.Resume;

    // mov rcx, RESUME; mov [rax+20h], rcx; mov dword [rax+28h], 3
    private static readonly byte[] Store =
        [0x48, 0xB9, .. BitConverter.GetBytes(Resume), 0x48, 0x89, 0x48, 0x20, 0xC7, 0x40, 0x28, 0x03, 0x00, 0x00, 0x00];

    [Theory]
    [InlineData(NativeDrawing.Start)]
    [InlineData(0)]
    [InlineData(ulong.MaxValue - 100)]
    [InlineData(ulong.MaxValue)]
    public void Random_bytes_are_decoded_to_an_end(ulong address)
    {
        var random = new Random(5);
        for (int round = 0; round < 300; round++)
        {
            byte[] code = new byte[random.Next(400)];
            random.NextBytes(code);
            int place = random.Next(code.Length + 1);
            byte[] mixed = [.. code[..place], .. Store, .. code[place..]];
            X64SuspensionDecoder.Decode(code, address, Resume);
            X64SuspensionDecoder.Decode(mixed, address, Resume);
        }
    }

    [Fact]
    public void Truncated_code_is_decoded_as_far_as_it_goes()
    {
        for (int length = 0; length < Store.Length; length++)
            Assert.Empty(X64SuspensionDecoder.Decode(Store[..length], NativeDrawing.Start, Resume));
        Assert.Equal(3u, Assert.Single(X64SuspensionDecoder.Decode(Store, NativeDrawing.Start, Resume)).State);
    }

    [Fact]
    public void A_register_that_no_load_can_have_is_not_a_load()
        // mov [mem], imm and pushes of the constant: no register to follow.
        => Assert.Empty(X64SuspensionDecoder.Decode([0x68, 0x20, 0x43, 0x50, 0x12, .. Store[10..]], NativeDrawing.Start, 0x1250_4320));

    [Theory]
    [InlineData("stores", 20_000)]
    [InlineData("branches", 20_000)]
    public void The_time_for_many_matches_is_linear(string what, int count)
    {
        byte[] code = what == "stores"
            ? [.. Enumerable.Repeat(Store, count).SelectMany(s => s)]
            // je to the end, again and again, and there a block that all of them lead to.
            : [.. Enumerable.Range(0, count).SelectMany(i => (byte[])[0x0F, 0x84, .. BitConverter.GetBytes((count - 1 - i) * 6)]), .. Store];
        var blocks = X64SuspensionDecoder.Decode(code, NativeDrawing.Start, Resume);
        Assert.Equal(what == "stores" ? count : 1, blocks.Length);
        Assert.All(blocks, b => Assert.Empty(b.Calls));
    }
}
