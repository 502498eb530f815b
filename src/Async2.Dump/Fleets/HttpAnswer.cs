using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace Async2.Dump.Fleets;

/// <summary>What a server answered to a request: RFC 9112, as far as a client needs it that sends one request on a connection.</summary>
/// <param name="Status">200 and so on.</param>
/// <param name="Reason">What the server calls that; may be empty.</param>
/// <param name="ContentType">Of the body; null if it is not said.</param>
/// <param name="RetryAfter">When it wants to be asked again.</param>
/// <param name="Body">The body, up to 64 kB.</param>
internal sealed record HttpAnswer(int Status, string Reason, string? ContentType, TimeSpan? RetryAfter, ReadOnlyMemory<byte> Body)
{
    private const int Longest = 64 * 1024;

    /// <summary>Reads one. It ends where the server says, whether or not the server closes the connection.</summary>
    /// <exception cref="IOException">It is not HTTP/1.1, or has no end.</exception>
    public static async Task<HttpAnswer> ReadAsync(Stream stream, CancellationToken stop)
    {
        byte[] buffer = new byte[Longest];
        for (int length = 0; ;)
        {
            int read = length < buffer.Length ? await stream.ReadAsync(buffer.AsMemory(length), stop).ConfigureAwait(false) : 0;
            length += read;
            if (Parse(buffer.AsMemory(0, length), isAll: read == 0) is { } answer)
                return answer;
        }
    }

    // Null: more of it has to come.
    private static HttpAnswer? Parse(ReadOnlyMemory<byte> bytes, bool isAll)
    {
        ReadOnlySpan<byte> begin = "HTTP/1."u8, text = bytes.Span;
        if (isAll && text.IsEmpty)
            throw new IOException("it closed the connection without an answer");
        if (!text[..Math.Min(text.Length, begin.Length)].SequenceEqual(begin[..Math.Min(text.Length, begin.Length)]))
            throw new IOException("it does not speak HTTP/1.1; OTLP over HTTP has port 4318 as a rule, and 4317 is gRPC");
        int head = text.IndexOf("\r\n\r\n"u8);
        if (head < 0)
            return isAll ? throw new IOException("its answer has no end") : null;
        string[] lines = Encoding.Latin1.GetString(text[..head]).Split("\r\n");
        string[] first = lines[0].Split(' ', 3);
        if (first.Length < 2 || !int.TryParse(first[1], NumberStyles.None, CultureInfo.InvariantCulture, out int status))
            throw new IOException("its answer has no status");
        ReadOnlyMemory<byte> rest = bytes[(head + 4)..];
        ReadOnlyMemory<byte>? body = BodyOf(rest, status, Header("Transfer-Encoding"), Header("Content-Length"));
        if (body is null && !isAll)
            return null;
        TimeSpan? later = int.TryParse(Header("Retry-After"), NumberStyles.None, CultureInfo.InvariantCulture, out int seconds) ? TimeSpan.FromSeconds(seconds) : null;
        return new(status, first.Length > 2 ? first[2].Trim() : "", Header("Content-Type"), later, body ?? rest);

        string? Header(string name) => lines.Skip(1).FirstOrDefault(line => line.StartsWith(name + ":", StringComparison.OrdinalIgnoreCase))?[(name.Length + 1)..].Trim();
    }

    // Null: it has not come to its end, or only the end of the connection is its end.
    private static ReadOnlyMemory<byte>? BodyOf(ReadOnlyMemory<byte> rest, int status, string? encoding, string? length)
    {
        if (encoding?.Contains("chunked", StringComparison.OrdinalIgnoreCase) == true)
            return Chunks(rest.Span);
        if (int.TryParse(length, NumberStyles.None, CultureInfo.InvariantCulture, out int bytes))
            return rest.Length >= bytes ? (ReadOnlyMemory<byte>?)rest[..bytes] : null;
        return status == 204 ? (ReadOnlyMemory<byte>?)ReadOnlyMemory<byte>.Empty : null;
    }

    // Null if the last one has not come.
    private static ReadOnlyMemory<byte>? Chunks(ReadOnlySpan<byte> text)
    {
        var body = new MemoryStream();
        while (true)
        {
            if (text.IndexOf("\r\n"u8) < 0 || !Utf8Parser.TryParse(text, out int size, out int digits, 'x') || size < 0)
                return null;
            if (size == 0)
                return body.ToArray();
            int begin = digits + text[digits..].IndexOf("\r\n"u8) + 2;
            if (size > text.Length - begin - 2)
                return null;
            body.Write(text.Slice(begin, size));
            text = text[(begin + size + 2)..];
        }
    }
}
