using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
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
    private readonly Dictionary<string, NumberDataPoint[]> _numbers = [];
    private readonly X509Certificate2? _certificate;

    /// <param name="certificate">With it it speaks TLS.</param>
    public Receiver(X509Certificate2? certificate = null)
    {
        _certificate = certificate;
        _listener.Start();
        new Thread(Serve) { IsBackground = true }.Start();
    }

    public string Address => $"http{(_certificate is null ? "" : "s")}://{_listener.LocalEndpoint}";

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

    /// <summary>The last numbers of a metric.</summary>
    public NumberDataPoint[] Numbers(string metric)
    {
        lock (_gate)
            return _numbers.GetValueOrDefault(metric) ?? [];
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
                    TakeFrom(stream);
                }
                catch (Exception e) when (e is IOException or AuthenticationException)
                {
                    // Who sent has gone, or does not trust it.
                }
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // It is closed.
        }
    }

    private void TakeFrom(NetworkStream stream)
    {
        if (_certificate is null)
        {
            Take(stream);
            return;
        }
        using var tls = new SslStream(stream);
        tls.AuthenticateAsServer(_certificate);
        Take(tls);
    }

    private void Take(Stream stream)
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
            if (Status == 200 && path == "/v1/metrics")
            {
                foreach (Metric metric in ExportMetricsServiceRequest.Parser.ParseFrom(body).ResourceMetrics.SelectMany(process => process.ScopeMetrics).SelectMany(scope => scope.Metrics))
                    _numbers[metric.Name] = [.. metric.Gauge.DataPoints];
            }
        }
        if (Status == 0)
            return;
        byte[] answer = Body;
        stream.Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"HTTP/1.1 {Status} Answer\r\nContent-Type: application/x-protobuf\r\nContent-Length: {answer.Length}\r\n\r\n")));
        stream.Write(answer);
    }

    private static string[] Head(Stream stream)
    {
        var head = new StringBuilder();
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
            head.Append(stream.ReadByte() is >= 0 and var next ? (char)next : throw new IOException());
        return head.ToString().Split("\r\n");
    }

    /// <summary>The answer of who takes only a part.</summary>
    public static byte[] Partial(long rejected, string why) => new ExportServiceResponse { PartialSuccess = new ExportPartialSuccess { Rejected = rejected, ErrorMessage = why } }.ToByteArray();
}
