using System.Buffers.Text;
using System.Globalization;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Text;

namespace Async2.Dump.Fleets;

/// <summary>Sends a request body and reads the status. Plain HTTP by a socket, because HttpClient brings TLS, which the native build leaves out; https by HttpClient.</summary>
internal static class HttpPost
{
    private const string ContentType = "application/x-protobuf";
    private const int LongestAnswer = 64 * 1024;

    /// <summary>Sends it; throws if it was not taken.</summary>
    /// <param name="address">http, or https where code can be compiled at run time.</param>
    /// <param name="headers">More headers.</param>
    /// <param name="body">The body.</param>
    /// <param name="stop">Ends it.</param>
    /// <exception cref="IOException">It was not taken; the message says why.</exception>
    public static async Task SendAsync(Uri address, IReadOnlyList<KeyValuePair<string, string>> headers, byte[] body, CancellationToken stop)
    {
        try
        {
            (int status, string reason) = address.Scheme == "http" ? await OverSocketAsync(address, headers, body, stop).ConfigureAwait(false)
                : RuntimeFeature.IsDynamicCodeSupported ? await OverTlsAsync(address, headers, body, stop).ConfigureAwait(false)
                : throw new IOException("this build sends to http only");
            if (status is < 200 or > 299)
                throw new IOException(string.Create(CultureInfo.InvariantCulture, $"it answered {status} {reason}").TrimEnd());
        }
        catch (Exception e) when (e is SocketException or HttpRequestException)
        {
            throw new IOException(e.Message, e);
        }
        catch (OperationCanceledException e)
        {
            throw new IOException("it did not answer in time", e);
        }
    }

    private static async Task<(int Status, string Reason)> OverSocketAsync(Uri address, IReadOnlyList<KeyValuePair<string, string>> headers, byte[] body, CancellationToken stop)
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(address.IdnHost, address.Port, stop).ConfigureAwait(false);
        using var stream = new NetworkStream(socket);
        var head = new StringBuilder();
        head.Append(CultureInfo.InvariantCulture, $"POST {address.PathAndQuery} HTTP/1.1\r\nHost: {address.Authority}\r\nContent-Type: {ContentType}\r\nContent-Length: {body.Length}\r\nConnection: close\r\n");
        foreach ((string name, string value) in headers)
            head.Append(CultureInfo.InvariantCulture, $"{name}: {value}\r\n");
        await stream.WriteAsync(Encoding.UTF8.GetBytes(head.Append("\r\n").ToString()), stop).ConfigureAwait(false);
        await stream.WriteAsync(body, stop).ConfigureAwait(false);
        // To its end: who closes earlier may reset the connection before the other side has read everything.
        byte[] answer = new byte[LongestAnswer];
        int length = await stream.ReadAtLeastAsync(answer, answer.Length, throwOnEndOfStream: false, stop).ConfigureAwait(false);
        return StatusOf(answer.AsSpan(0, length));
    }

    // "HTTP/1.1 200 OK".
    private static (int Status, string Reason) StatusOf(ReadOnlySpan<byte> answer)
    {
        int space = answer.IndexOf((byte)' ');
        if (!answer.StartsWith("HTTP/1."u8) || space < 0 || !Utf8Parser.TryParse(answer[(space + 1)..], out int status, out int digits))
            throw new IOException("it does not speak HTTP/1.1; OTLP over HTTP has port 4318 as a rule, and 4317 is gRPC");
        ReadOnlySpan<byte> rest = answer[(space + 1 + digits)..];
        int end = rest.IndexOfAny((byte)'\r', (byte)'\n');
        return (status, Encoding.UTF8.GetString(rest[..(end < 0 ? 0 : end)]).Trim());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<(int Status, string Reason)> OverTlsAsync(Uri address, IReadOnlyList<KeyValuePair<string, string>> headers, byte[] body, CancellationToken stop)
    {
        using var client = new HttpClient();
        using var request = new HttpRequestMessage(HttpMethod.Post, address) { Content = new ByteArrayContent(body) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue(ContentType);
        foreach ((string name, string value) in headers)
            request.Headers.TryAddWithoutValidation(name, value);
        using HttpResponseMessage answer = await client.SendAsync(request, stop).ConfigureAwait(false);
        return ((int)answer.StatusCode, answer.ReasonPhrase ?? "");
    }
}
