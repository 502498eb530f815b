using Microsoft.AspNetCore.Builder;

namespace Server;

/// <summary>An endpoint that waits synchronously: its lambda is called, or inlined, by code that ASP.NET Core makes at run time.</summary>
public static class Blocking
{
    private static readonly TaskCompletionSource<int> Price = new();

    public static async Task StartAsync(string argument)
    {
        Web web = await Web.StartAsync(_ => { }, app => app.MapGet("/price/{id}", (int id) => AskAsync(id).Result));
        web.Send("GET /price/7 HTTP/1.1\nHost: localhost\n\n");
        await Idle.SettleAsync();
    }

    private static async Task<int> AskAsync(int id)
    {
        int price = await Price.Task.At("ask");
        return price + id;
    }
}
