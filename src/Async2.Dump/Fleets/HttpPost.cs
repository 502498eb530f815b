using System.Globalization;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Text;

namespace Async2.Dump.Fleets;

/// <summary>Sends a request body and reads the answer. Plain HTTP by a socket, because HttpClient brings TLS, which the native build leaves out; https by HttpClient.</summary>
internal static class HttpPost
{
    /// <summary>Of what is sent.</summary>
    public const string ContentType = "application/x-protobuf";

    /// <summary>Sends it, and waits for the answer.</summary>
    /// <param name="address">http, or https where code can be compiled at run time.</param>
    /// <param name="headers">More headers.</param>
    /// <param name="certificate">A file with the certificates that are trusted; null for those of the system.</param>
    /// <param name="body">The body.</param>
    /// <param name="stop">Ends it.</param>
    /// <exception cref="IOException">There is no answer; the message says why.</exception>
    public static async Task<HttpAnswer> SendAsync(Uri address, IReadOnlyList<KeyValuePair<string, string>> headers, string? certificate, byte[] body, CancellationToken stop)
    {
        try
        {
            return address.Scheme == "http" ? await OverSocketAsync(address, headers, body, stop).ConfigureAwait(false)
                : RuntimeFeature.IsDynamicCodeSupported ? await OverTlsAsync(address, headers, certificate, body, stop).ConfigureAwait(false)
                : throw new IOException("this build sends to http only");
        }
        catch (Exception e) when (e is SocketException or HttpRequestException)
        {
            // Of TLS the outer one says only that there is an inner one.
            throw new IOException(e.GetBaseException().Message, e);
        }
        catch (OperationCanceledException e)
        {
            throw new IOException("it did not answer in time", e);
        }
    }

    private static async Task<HttpAnswer> OverSocketAsync(Uri address, IReadOnlyList<KeyValuePair<string, string>> headers, byte[] body, CancellationToken stop)
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(address.IdnHost, address.Port, stop).ConfigureAwait(false);
        using var stream = new NetworkStream(socket);
        var head = new StringBuilder();
        head.Append(CultureInfo.InvariantCulture, $"POST {address.PathAndQuery} HTTP/1.1\r\nHost: {address.Authority}\r\nContent-Type: {ContentType}\r\nContent-Length: {body.Length}\r\nConnection: close\r\n");
        foreach ((string name, string value) in headers)
            head.Append(CultureInfo.InvariantCulture, $"{name}: {value}\r\n");
        try
        {
            await stream.WriteAsync(Encoding.UTF8.GetBytes(head.Append("\r\n").ToString()), stop).ConfigureAwait(false);
            await stream.WriteAsync(body, stop).ConfigureAwait(false);
        }
        catch (IOException)
        {
            // Who finds it too large answers and closes before it has read all of it.
        }
        return await HttpAnswer.ReadAsync(stream, stop).ConfigureAwait(false);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<HttpAnswer> OverTlsAsync(Uri address, IReadOnlyList<KeyValuePair<string, string>> headers, string? certificate, byte[] body, CancellationToken stop)
    {
        var trust = new TlsTrust(address.IdnHost, certificate);
        using var client = new HttpClient(trust.Handler());
        using var request = new HttpRequestMessage(HttpMethod.Post, address) { Content = new ByteArrayContent(body) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue(ContentType);
        foreach ((string name, string value) in headers)
            request.Headers.TryAddWithoutValidation(name, value);
        using HttpResponseMessage answer = await trust.Explain(client.SendAsync(request, stop)).ConfigureAwait(false);
        return new((int)answer.StatusCode, answer.ReasonPhrase ?? "", answer.Content.Headers.ContentType?.MediaType, answer.Headers.RetryAfter?.Delta, await answer.Content.ReadAsByteArrayAsync(stop).ConfigureAwait(false));
    }
}
