using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging;

namespace Server;

/// <summary>Servers with much to do: one that can, one whose workers all block, and one that a worker of the pool runs.</summary>
public static class Loads
{
    private const int Clients = 40;
    private const int Requests = 300;

    private static readonly TaskCompletionSource<int> Price = new();
    private static readonly HttpClient Relay = new();
    private static readonly SemaphoreSlim Ovens = new(4, 4), Tables = new(6, 6), Till = new(1, 1);
    private static readonly System.Threading.Channels.Channel<int> Orders = System.Threading.Channels.Channel.CreateBounded<int>(8);

    private static string s_address = "";

    /// <summary>
    /// Clients ask as fast as they get answers; handlers wait for a moment: behind a semaphore, behind two of which one is in the other, for a place in a
    /// channel that is nearly always full, for the server itself, and for nothing but time.
    /// </summary>
    public static async Task StartLoadedAsync(string argument)
    {
        Web web = await Web.StartAsync(_ => { }, app =>
        {
            app.MapGet("/bake/{id}", async (int id) => await BakeAsync(id));
            app.MapGet("/read/{id}", async (int id) => await ReadAsync(id));
            app.MapGet("/dine/{id}", async (int id) => await DineAsync(id));
            app.MapGet("/order/{id}", async (int id) => await OrderAsync(id));
            app.MapGet("/relay/{id}", async (int id) => await RelayAsync(id));
        });
        s_address = $"http://localhost:{web.Ports[0]}/";
        Marks.Keep(ServeAsync());
        var client = new HttpClient();
        string[] routes = ["bake", "read", "dine", "order", "relay"];
        for (int i = 0; i < Clients; i++)
            Marks.Keep(AskAsync(client, $"{s_address}{routes[i % routes.Length]}/{i}"));
        await Task.Delay(2000);
    }

    /// <summary>Handlers block for an answer that does not come: the pool adds workers, which block in turn.</summary>
    public static async Task StartStarvedAsync(string argument)
    {
        Web web = await Web.StartAsync(_ => { }, app => app.MapGet("/price/{id}", (int id) => Block(id)));
        for (int i = 0; i < Requests; i++)
            web.Send($"GET /price/{i} HTTP/1.1\nHost: localhost\n\n");
        // Nothing that needs the pool can say when it is so far.
        await Task.Factory.StartNew(() => Thread.Sleep(4000), TaskCreationOptions.LongRunning).ConfigureAwait(ConfigureAwaitOptions.None);
    }

    /// <summary>A worker of the pool is in Run as long as the program lives.</summary>
    public static Task StartRunAsync(string argument)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        WebApplication app = builder.Build();
        app.Urls.Add("http://127.0.0.1:0");
        Marks.Keep(Task.Run(() => app.Run()));
        return Task.Delay(2000);
    }

    private static int Block(int id)
    {
        int price = PriceAsync(id).At("block").Result;
        return price + 1;
    }

    private static async Task<int> PriceAsync(int id)
    {
        int price = await Price.Task.At("price");
        return price + id;
    }

    private static async Task<string> BakeAsync(int id)
    {
        await Ovens.WaitAsync();
        try
        {
            await Task.Delay(3);
            return $"bread {id}";
        }
        finally
        {
            Ovens.Release();
        }
    }

    private static async Task<string> DineAsync(int id)
    {
        await Tables.WaitAsync();
        try
        {
            await Task.Delay(2);
            await Till.WaitAsync();
            try
            {
                await Task.Delay(1);
                return $"bill {id}";
            }
            finally
            {
                Till.Release();
            }
        }
        finally
        {
            Tables.Release();
        }
    }

    private static async Task<string> OrderAsync(int id)
    {
        await Orders.Writer.WriteAsync(id);
        return $"order {id}";
    }

    private static async Task ServeAsync()
    {
        await foreach (int order in Orders.Reader.ReadAllAsync())
        {
            if (order % 3 == 0)
                await Task.Delay(1);
        }
    }

    private static async Task<string> RelayAsync(int id) => await Relay.GetStringAsync($"{s_address}read/{id}");

    private static async Task<string> ReadAsync(int id)
    {
        await Task.Delay(2);
        return $"page {id}";
    }

    private static async Task AskAsync(HttpClient client, string address)
    {
        for (; ; )
            GC.KeepAlive(await client.GetStringAsync(address));
    }
}
