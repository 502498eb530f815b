using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace Server;

/// <summary>
/// A server that sends the same to all its clients, of whom one does not read. It has a lock meanwhile, for which the next client waits (held; plain: over a socket of its own, without
/// Kestrel), or a queue for each client (queued).
/// </summary>
public static class Broadcasts
{
    private static readonly SemaphoreSlim Gate = new(1, 1);
    private static readonly ConcurrentDictionary<string, Func<byte[], Task>> Screens = new();
    private static readonly byte[] Frame = new byte[400_000];

    public static async Task StartAsync(string argument)
    {
        if (argument == "plain")
        {
            using var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            var client = new TcpClient();
            await client.ConnectAsync((IPEndPoint)listener.LocalEndpoint);
            TcpClient accepted = await listener.AcceptTcpClientAsync();
            Marks.Keep((client, accepted));
            Screens["1"] = async frame => await accepted.GetStream().WriteAsync(frame).AsTask().At("send");
        }
        else
        {
            Web web = await Web.StartAsync(_ => { }, app => app.MapGet("/screens/{name}", (string name, HttpContext context) => argument == "held" ? ShowAsync(name, context) : QueueAsync(name, context)));
            web.Send("GET /screens/1 HTTP/1.1\nHost: localhost\n\n");
            while (!Screens.ContainsKey("1"))
                await Task.Delay(10);
        }
        Marks.Keep(RunAsync());
        await Task.Delay(700);
        if (argument != "queued")
            Marks.Keep(JoinAsync("2"));
        await Task.Delay(300);
    }

    private static async Task RunAsync()
    {
        while (true)
        {
            await BroadcastAsync();
            await Task.Delay(10);
        }
    }

    private static async Task BroadcastAsync()
    {
        await Gate.WaitAsync();
        try
        {
            foreach (Func<byte[], Task> send in Screens.Values)
                await send(Frame).At("broadcast");
        }
        finally
        {
            Gate.Release();
        }
    }

    private static async Task JoinAsync(string name)
    {
        await Gate.WaitAsync().At("join");
        Screens[name] = _ => Task.CompletedTask;
        Gate.Release();
    }

    private static async Task ShowAsync(string name, HttpContext context)
    {
        await Gate.WaitAsync();
        Screens[name] = async frame => await context.Response.Body.WriteAsync(frame);
        Gate.Release();
        await Task.Delay(Timeout.Infinite, context.RequestAborted);
    }

    private static async Task QueueAsync(string name, HttpContext context)
    {
        Channel<byte[]> frames = Channel.CreateBounded<byte[]>(new BoundedChannelOptions(4) { FullMode = BoundedChannelFullMode.DropOldest });
        Screens[name] = async frame => await frames.Writer.WriteAsync(frame);
        await foreach (byte[] frame in frames.Reader.ReadAllAsync(context.RequestAborted))
            await context.Response.Body.WriteAsync(frame);
    }
}
