using System.Net;
using Microsoft.AspNetCore.Builder;

namespace Server;

/// <summary>Outgoing requests: more than the pool has connections for, and several on one connection of HTTP/2.</summary>
public static class HttpPools
{
    private static readonly TaskCompletionSource Gate = new();

    public static async Task StartAsync(string argument)
    {
        Web web = await StartServerAsync();
        var client = new HttpClient(new SocketsHttpHandler { MaxConnectionsPerServer = 2 }) { Timeout = Timeout.InfiniteTimeSpan };
        for (int i = 0; i < 5; i++)
            Marks.Keep(GetAsync(client, $"http://localhost:{web.Ports[0]}/wait"));
        Idle.Count("port", web.Ports[0]);
        await Idle.SettleAsync(web, 2);
    }

    public static async Task StartHttp2Async(string argument)
    {
        Web web = await StartServerAsync();
        var client = new HttpClient { Timeout = Timeout.InfiniteTimeSpan, DefaultRequestVersion = HttpVersion.Version20, DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact };
        await client.GetStringAsync($"http://localhost:{web.Ports[1]}/hello");
        for (int i = 0; i < 3; i++)
            Marks.Keep(GetAsync(client, $"http://localhost:{web.Ports[1]}/wait"));
        Idle.Count("port", web.Ports[1]);
        await Idle.SettleAsync(web, 4);
    }

    private static Task<Web> StartServerAsync() => Web.StartAsync(_ => { }, app =>
    {
        app.MapGet("/hello", () => "hello");
        app.MapGet("/wait", () => Gate.Task);
    });

    private static async Task<string> GetAsync(HttpClient client, string address)
    {
        string text = await client.GetStringAsync(address).At("get");
        return text + ".";
    }
}
