using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace Server;

/// <summary>Requests that really wait, among connections that are idle: for a gate, for the rest of their body or head, for a client that does not read.</summary>
public static class Requests
{
    private static readonly TaskCompletionSource Gate = new();

    public sealed record Item(string Name, int Count);

    public static async Task StartAsync(string argument)
    {
        Web web = await Web.StartAsync(services => services.AddSignalR(Idle.StayConnected), app =>
        {
            Idle.Map(app);
            app.MapGet("/slow/{id}", async (int id) => { await Gate.Task.At("slow"); return id; });
            app.MapGet("/other", async () => { await Gate.Task.At("other"); return "other"; });
            app.MapMethods("/named", ["GET", "HEAD"], NamedAsync);
            app.MapPost("/body", async (HttpRequest request) => { await request.Body.ReadExactlyAsync(new byte[1000]).At("body"); });
            app.MapPost("/bound", (Item item) => item.Name);
            app.MapGet("/flood", FloodAsync);
            app.MapGet("/bytes", () => Results.Bytes(new byte[40_000_000]));
        });
        Idle.Open(web);
        foreach (string path in (string[])["/slow/1", "/slow/2", "/other", "/named"])
            web.Send($"GET {path} HTTP/1.1\nHost: localhost\n\n");
        web.Send("POST /body HTTP/1.1\nHost: localhost\nContent-Length: 1000\n\nabc");
        web.Send("POST /bound HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 1000\n\n{\"name\":");
        web.Send("GET /hello HTTP/1.1\nHost: local");
        web.Send("GET /flood HTTP/1.1\nHost: localhost\n\n");
        web.Send("GET /bytes HTTP/1.1\nHost: localhost\n\n");
        await Idle.SettleAsync(web, Idle.Asked + 8); // all but the half head
    }

    private static async Task<string> NamedAsync()
    {
        await Gate.Task.At("named");
        return "named";
    }

    // Nobody reads the answer.
    private static async Task FloodAsync(HttpResponse response)
    {
        byte[] bytes = new byte[100_000];
        while (true)
            await response.Body.WriteAsync(bytes).At("flood");
    }
}
