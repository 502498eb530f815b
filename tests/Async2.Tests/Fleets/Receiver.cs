using System.Net;
using System.Net.Sockets;
using Async2.Dump.Fleets.Wire;
using Google.Protobuf;

namespace Async2.Tests.Fleets;

/// <summary>A collector on this machine that answers as it is told.</summary>
internal sealed class Receiver : IDisposable
{
    private readonly HttpListener _listener;
    private readonly Lock _gate = new();
    private readonly List<string> _events = [], _requests = [];

    public Receiver()
    {
        (_listener, Port) = Listen();
        new Thread(Serve) { IsBackground = true }.Start();
    }

    public int Port { get; }

    public string Address => $"http://127.0.0.1:{Port}";

    /// <summary>Status of the next answers; 0 closes connections without one.</summary>
    public volatile int Status = 200;

    /// <summary>Body of the next answers.</summary>
    public volatile byte[] Body = [];

    /// <summary>Bodies of log records that were taken, in order.</summary>
    public string[] Events
    {
        get
        {
            lock (_gate)
                return [.. _events];
        }
    }

    /// <summary>Paths of requests that came, taken or not.</summary>
    public string[] Requests
    {
        get
        {
            lock (_gate)
                return [.. _requests];
        }
    }

    /// <summary>A port that refuses connections as long as the socket lives.</summary>
    public static Socket Refusing(out int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        return socket;
    }

    // It takes no port 0: another program may be quicker.
    private static (HttpListener Listener, int Port) Listen()
    {
        for (int tries = 0; ; tries++)
        {
            int port;
            using (Refusing(out port))
            {
            }
            var listener = new HttpListener();
            listener.Prefixes.Add($"http://127.0.0.1:{port}/");
            try
            {
                listener.Start();
                return (listener, port);
            }
            catch (HttpListenerException) when (tries < 20)
            {
                listener.Close();
            }
        }
    }

    public void Dispose() => _listener.Close();

    private void Serve()
    {
        try
        {
            while (true)
                Take(_listener.GetContext());
        }
        catch (Exception e) when (e is HttpListenerException or ObjectDisposedException or InvalidOperationException)
        {
            // It is closed.
        }
    }

    private void Take(HttpListenerContext context)
    {
        using var body = new MemoryStream();
        context.Request.InputStream.CopyTo(body);
        string path = context.Request.Url!.AbsolutePath;
        lock (_gate)
        {
            _requests.Add(path);
            if (Status == 200 && path == "/v1/logs")
                _events.AddRange(ExportLogsServiceRequest.Parser.ParseFrom(body.ToArray()).ResourceLogs.SelectMany(process => process.ScopeLogs).SelectMany(scope => scope.LogRecords).Select(record => record.Body.StringValue));
        }
        if (Status == 0)
        {
            context.Response.Abort();
            return;
        }
        context.Response.StatusCode = Status;
        context.Response.ContentType = "application/x-protobuf";
        context.Response.OutputStream.Write(Body);
        context.Response.Close();
    }

    /// <summary>The answer of who takes only a part.</summary>
    public static byte[] Partial(long rejected, string why) => new ExportServiceResponse { PartialSuccess = new ExportPartialSuccess { Rejected = rejected, ErrorMessage = why } }.ToByteArray();
}
