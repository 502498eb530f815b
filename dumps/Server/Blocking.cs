using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Builder;

namespace Server;

/// <summary>
/// An endpoint that waits synchronously: its lambda is called, or inlined, by code that ASP.NET Core makes at run time. With an argument, for a method of the framework: there is none of the
/// program's between.
/// </summary>
public static class Blocking
{
    private static readonly TaskCompletionSource<int> Price = new();
    private static readonly HttpClient Client = new() { Timeout = Timeout.InfiniteTimeSpan };

    public static async Task StartAsync(string argument)
    {
        Uri root = new("http://localhost");
        Web web = await Web.StartAsync(_ => { }, app =>
        {
            app.MapGet("/price/{id}", (int id) => AskAsync(id).Result);
            app.MapGet("/rate/{id}", (int id) => Rate(new Uri(root, $"/slow/{id}")));
            app.MapGet("/slow/{id}", async (int id) => await AskAsync(id));
        });
        root = new Uri($"http://127.0.0.1:{web.Ports[0]}");
        web.Send($"GET /{(argument.Length > 0 ? "rate" : "price")}/7 HTTP/1.1\nHost: localhost\n\n");
        await Idle.SettleAsync();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Rate(Uri where)
    {
        int length = Client.GetStringAsync(where).At("rate").Result.Length;
        return length + 1;
    }

    private static async Task<int> AskAsync(int id)
    {
        int price = await Price.Task.At("ask");
        return price + id;
    }
}
