using System.Text;
using Async2.Dump.Fleets;

namespace Async2.Tests.Fleets;

/// <summary>Answers of servers, as they come: in pieces, with and without an end, and from programs that do not speak HTTP.</summary>
public sealed class HttpAnswerTests
{
    [Theory]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello|and what is not read", 200, "OK", "hello")]
    [InlineData("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n", 200, "OK", "hello")]
    [InlineData("HTTP/1.0 503 Service Unavailable\r\nContent-Type: text/plain\r\n\r\nhello", 503, "Service Unavailable", "hello")]
    [InlineData("HTTP/1.1 204\r\n\r\n", 204, "", "")]
    [InlineData("HTTP/1.1 400 Bad Request\r\nContent-Length: 999999999\r\n\r\nhello", 400, "Bad Request", "hello")]
    [InlineData("HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello", 400, "Bad Request", "zz\r\nhello")]
    public async Task An_answer_is_read_to_its_end(string text, int status, string reason, string body)
    {
        using var stream = new Pieces(text.Split('|')[0]);
        HttpAnswer answer = await HttpAnswer.ReadAsync(stream, TestContext.Current.CancellationToken);
        Assert.Equal((status, reason, body), (answer.Status, answer.Reason, Encoding.ASCII.GetString(answer.Body.Span)));
    }

    [Fact]
    public async Task Headers_are_read()
    {
        using var stream = new Pieces("HTTP/1.1 429 Too Many Requests\r\nretry-after:7\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n");
        HttpAnswer answer = await HttpAnswer.ReadAsync(stream, TestContext.Current.CancellationToken);
        Assert.Equal(("application/x-protobuf", TimeSpan.FromSeconds(7)), (answer.ContentType, answer.RetryAfter));
    }

    [Theory]
    [InlineData("", "without an answer")]
    [InlineData("SSH-2.0-OpenSSH_9.9\r\n", "does not speak HTTP/1.1")]
    [InlineData("\0\0\u0012\u0004", "4317 is gRPC")]
    [InlineData("HTTP/1.1 200 OK\r\n", "has no end")]
    [InlineData("HTTP/1.1 many\r\n\r\n", "has no status")]
    public async Task Other_bytes_are_an_error(string text, string expected)
    {
        using var stream = new Pieces(text);
        IOException e = await Assert.ThrowsAsync<IOException>(() => HttpAnswer.ReadAsync(stream, TestContext.Current.CancellationToken));
        Assert.Contains(expected, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_answer_without_end_is_cut()
    {
        using var stream = new Pieces("HTTP/1.1 200 OK\r\n\r\n" + new string('x', 200_000), 4096);
        Assert.InRange((await HttpAnswer.ReadAsync(stream, TestContext.Current.CancellationToken)).Body.Length, 60_000, 65_536);
    }

    // A stream that gives a few bytes at a time, and then ends.
    private sealed class Pieces(string text, int size = 3) : MemoryStream(Encoding.Latin1.GetBytes(text))
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => base.ReadAsync(buffer[..Math.Min(size, buffer.Length)], cancellationToken);
    }
}
