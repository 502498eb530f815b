using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Async2.Dump.Fleets.Wire;
using Google.Protobuf;

namespace Async2.Tests.Fleets;

/// <summary>A collector on this machine that answers as it is told.</summary>
internal sealed class Receiver : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Lock _gate = new();
    private readonly List<string> _events = [], _requests = [];

    public Receiver()
    {
        _listener.Start();
        new Thread(Serve) { IsBackground = true }.Start();
    }

    public string Address => $"http://{_listener.LocalEndpoint}";

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

    public void Dispose() => _listener.Dispose();

    private void Serve()
    {
        try
        {
            while (true)
            {
                using Socket socket = _listener.AcceptSocket();
                using var stream = new NetworkStream(socket);
                try
                {
                    Take(stream);
                }
                catch (IOException)
                {
                    // Who sent has gone.
                }
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // It is closed.
        }
    }

    private void Take(NetworkStream stream)
    {
        string[] head = Head(stream);
        byte[] body = new byte[int.Parse(head.Single(line => line.StartsWith("Content-Length: ", StringComparison.Ordinal)).Split(' ')[1], CultureInfo.InvariantCulture)];
        stream.ReadExactly(body);
        string path = head[0].Split(' ')[1];
        lock (_gate)
        {
            _requests.Add(path);
            if (Status == 200 && path == "/v1/logs")
                _events.AddRange(ExportLogsServiceRequest.Parser.ParseFrom(body).ResourceLogs.SelectMany(process => process.ScopeLogs).SelectMany(scope => scope.LogRecords).Select(record => record.Body.StringValue));
        }
        if (Status == 0)
            return;
        byte[] answer = Body;
        stream.Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"HTTP/1.1 {Status} Answer\r\nContent-Type: application/x-protobuf\r\nContent-Length: {answer.Length}\r\n\r\n")));
        stream.Write(answer);
    }

    private static string[] Head(NetworkStream stream)
    {
        var head = new StringBuilder();
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
            head.Append(stream.ReadByte() is >= 0 and var next ? (char)next : throw new IOException());
        return head.ToString().Split("\r\n");
    }

    /// <summary>The answer of who takes only a part.</summary>
    public static byte[] Partial(long rejected, string why) => new ExportServiceResponse { PartialSuccess = new ExportPartialSuccess { Rejected = rejected, ErrorMessage = why } }.ToByteArray();
}
