using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Server;

/// <summary>A web server on loopback, and clients that are nothing but a socket: they have no operations of their own to be seen.</summary>
public sealed class Web
{
    private static readonly byte[] Http2Preface = [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, 0, 0, 0, 4, 0, 0, 0, 0, 0];

    private Web()
    {
    }

    private int _begun;
    private WebApplication? _app;

    /// <summary>Requests that the server has read the head of.</summary>
    public int Begun => Volatile.Read(ref _begun);

    /// <summary>Of HTTP/1.1, then of HTTP/2, then of HTTP/1.1 with TLS.</summary>
    public IReadOnlyList<int> Ports { get; private set; } = [];

    public static async Task<Web> StartAsync(Action<IServiceCollection> services, Action<WebApplication> map)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(options =>
        {
            options.Limits.KeepAliveTimeout = options.Limits.RequestHeadersTimeout = TimeSpan.FromHours(1);
            options.Limits.MinRequestBodyDataRate = null;
            options.Limits.MinResponseDataRate = null;
            options.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http1);
            options.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
            options.Listen(IPAddress.Loopback, 0, listen => { listen.Protocols = HttpProtocols.Http1; listen.UseHttps(SelfSigned()); });
        });
        services(builder.Services);
        WebApplication app = builder.Build();
        var web = new Web();
        // No async method: it has no frame.
        app.Use(next => context =>
        {
            Interlocked.Increment(ref web._begun);
            return next(context);
        });
        map(app);
        await app.StartAsync();
        web._app = app;
        Marks.Keep(app);
        web.Ports = [.. app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Select(address => new Uri(address).Port)];
        return web;
    }

    /// <summary>Stops it.</summary>
    public Task StopAsync() => _app!.StopAsync();

    public Socket Connect(int port = 0)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(IPAddress.Loopback, Ports[port]);
        Marks.Keep(socket);
        return socket;
    }

    public Socket Send(string request)
    {
        Socket socket = Connect();
        socket.Send(Encoding.ASCII.GetBytes(request.ReplaceLineEndings("\r\n")));
        return socket;
    }

    /// <summary>Sends a request and reads what answers it, to the end of the head.</summary>
    public Socket Ask(string request)
    {
        Socket socket = Send(request);
        ReadHead(socket);
        return socket;
    }

    public static void ReadHead(Socket socket)
    {
        var head = new StringBuilder();
        byte[] one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal) && socket.Receive(one) == 1)
            head.Append((char)one[0]);
    }

    /// <summary>Sends a request over TLS and reads the beginning of the answer.</summary>
    public void AskWithTls(string request)
    {
        var stream = new SslStream(new NetworkStream(Connect(2)), false, (_, _, _, _) => true);
        Marks.Keep(stream);
        stream.AuthenticateAsClient("localhost");
        stream.Write(Encoding.ASCII.GetBytes(request.ReplaceLineEndings("\r\n")));
        stream.ReadExactly(new byte[12]);
    }

    private static X509Certificate2 SelfSigned()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        X509Certificate2 made = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256).CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null);
    }

    /// <summary>A connection of HTTP/2 with nothing on it.</summary>
    public Socket ConnectHttp2()
    {
        Socket socket = Connect(1);
        socket.Send(Http2Preface);
        byte[] settings = new byte[9];
        socket.Receive(settings);
        return socket;
    }
}
