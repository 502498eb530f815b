using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.SignalR;
using Microsoft.Extensions.DependencyInjection;

namespace Server;

/// <summary>Connections on which nothing happens, as most of a server's are.</summary>
public static class Idle
{
    public const int New = 12;
    public const int KeptAlive = 5;
    public const int Http2 = 4;
    public const int Hubs = 3;
    public const int Tls = 2;

    /// <summary>Requests that <see cref="Open"/> sends.</summary>
    public const int Asked = KeptAlive + Hubs + Tls;

    public static async Task StartAsync(string argument)
    {
        Web web = await Web.StartAsync(services => services.AddSignalR(StayConnected), Map);
        Open(web);
        await SettleAsync(web, Asked);
    }

    public static void Map(WebApplication app)
    {
        app.MapGet("/hello", () => "hello");
        app.MapHub<Talk>("/talk");
    }

    public static void Open(Web web)
    {
        for (int i = 0; i < New; i++)
            web.Connect();
        for (int i = 0; i < KeptAlive; i++)
            web.Ask("GET /hello HTTP/1.1\nHost: localhost\n\n");
        for (int i = 0; i < Http2; i++)
            web.ConnectHttp2();
        for (int i = 0; i < Hubs; i++)
            OpenHub(web, "/talk");
        for (int i = 0; i < Tls; i++)
            web.AskWithTls("GET /hello HTTP/1.1\nHost: localhost\n\n");
        Count("idle tls", Tls);
        Count("idle new", New);
        Count("idle kept alive", KeptAlive);
        Count("idle http2", Http2);
        Count("idle hubs", Hubs);
    }

    /// <summary>
    /// Everything that was sent has been read, and has led where it leads: so many requests have begun, and then the pool has had
    /// nothing to do but timers for two seconds.
    /// </summary>
    public static async Task SettleAsync(Web? web = null, int requests = 0)
    {
        const int quiet = 30;
        while (web?.Begun < requests)
            await Task.Delay(50);
        for (long before = -quiet - 1; ThreadPool.CompletedWorkItemCount - before > quiet;)
        {
            before = ThreadPool.CompletedWorkItemCount;
            await Task.Delay(2000);
        }
    }

    public static void Count(string what, int count) => count.At(what, count);

    /// <summary>Clients send nothing, and would be sent away after half a minute.</summary>
    public static void StayConnected(HubOptions options) => options.ClientTimeoutInterval = TimeSpan.FromHours(1);

    /// <summary>The handshake of WebSocket, then that of SignalR and short messages of it, each in one text frame under a mask of zeros.</summary>
    public static void OpenHub(Web web, string path, params string[] messages)
    {
        Socket socket = web.Ask($"GET {path} HTTP/1.1\nHost: localhost\nConnection: Upgrade\nUpgrade: websocket\n"
            + "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n");
        foreach (string message in messages.Prepend("""{"protocol":"json","version":1}"""))
        {
            byte[] bytes = [.. Encoding.UTF8.GetBytes(message), 0x1e];
            socket.Send([0x81, (byte)(0x80 | bytes.Length), 0, 0, 0, 0, .. bytes]);
        }
    }

    public sealed class Talk : Hub;
}
