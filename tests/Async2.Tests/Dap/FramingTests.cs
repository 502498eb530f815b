using System.Text;
using Async2.Dump.Dap.Protocol;
using FsCheck;
using FsCheck.Fluent;

namespace Async2.Tests.Dap;

public sealed class FramingTests
{
    [Fact]
    public void Messages_are_read_back_from_any_fragments() => Prop.ForAll<byte[][], int>((messages, cut) =>
    {
        messages = [.. messages.Select(message => message ?? [])];
        using var stream = new MemoryStream();
        foreach (byte[] message in messages)
            DapFraming.Write(stream, message);
        var framing = new DapFraming(new CutStream(stream.ToArray(), 1 + (int)((uint)cut % 40)));
        foreach (byte[] message in messages)
        {
            if (framing.Read()?.AsSpan().SequenceEqual(message) != true)
                return false;
        }
        return framing.Read() is null;
    }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData("hello\r\n\r\n", "a header without a colon")]
    [InlineData("\r\n{}", "without Content-Length")]
    [InlineData("Content-Type: x\r\n\r\n{}", "without Content-Length")]
    [InlineData("Content-Length: 99999999999\r\n\r\n", "not a number up to")]
    [InlineData("Content-Length: 67108865\r\n\r\n", "not a number up to")]
    [InlineData("Content-Length: -1\r\n\r\n", "not a number up to")]
    [InlineData("Content-Length: 2 2\r\n\r\n{}", "not a number up to")]
    public void Input_that_is_not_a_message_is_reported(string text, string why)
        => Assert.Contains(why, Assert.Throws<DapFormatException>(() => Framing(text).Read()).Message, StringComparison.Ordinal);

    [Fact]
    public void Headers_have_an_end()
        => Assert.Contains("more than 4096", Assert.Throws<DapFormatException>(() => Framing(new string('x', 100_000)).Read()).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("Content-Length: 2\r\n\r\n{}")]
    [InlineData("content-length:2\r\n\r\n{}")]
    [InlineData("Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")]
    [InlineData("Content-Length: 2\n\n{}")]
    public void Headers_may_look_different(string text) => Assert.Equal("{}", Encoding.ASCII.GetString(Framing(text).Read()!));

    [Theory]
    [InlineData("")]
    [InlineData("Content-Le")]
    [InlineData("Content-Length: 10\r\n")]
    [InlineData("Content-Length: 10\r\n\r\nabc")]
    public void A_stream_that_ends_in_the_middle_has_no_more_messages(string text) => Assert.Null(Framing(text).Read());

    [Fact]
    public void A_long_length_alone_takes_no_memory()
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Null(Framing("Content-Length: 67108864\r\n\r\nabc").Read());
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1_000_000);
    }

    private static DapFraming Framing(string text) => new(new MemoryStream(Encoding.ASCII.GetBytes(text)));

    // Gives a few bytes at a time, as a pipe may.
    private sealed class CutStream(byte[] bytes, int most) : MemoryStream(bytes)
    {
        public override int Read(byte[] buffer, int offset, int count) => base.Read(buffer, offset, Math.Min(count, most));

        public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(buffer.Length, most)]);
    }
}
