using System.Net;
using System.Net.Sockets;

namespace Web;

/// <summary>A service that takes connections and does not answer.</summary>
internal sealed class Warehouse : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);

    public Warehouse() => _listener.Start(200);

    public Uri Address => new($"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}/");

    public void Dispose() => _listener.Dispose();
}

/// <summary>Looks again what is there, from time to time.</summary>
internal sealed class StockRefresh : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromHours(1));
        while (await timer.WaitForNextTickAsync(stoppingToken))
            GC.KeepAlive(timer);
    }
}
