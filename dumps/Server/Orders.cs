using Microsoft.AspNetCore.Builder;

namespace Server;

/// <summary>Two endpoints that take two locks in opposite order, and have met: no request of either is ever answered, while others are.</summary>
public static class Orders
{
    private static readonly SemaphoreSlim Till = new(1, 1), Stock = new(1, 1);
    private static readonly TaskCompletionSource Met = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private static int _entered;

    public static async Task StartAsync(string argument)
    {
        Web web = await Web.StartAsync(_ => { }, app =>
        {
            app.MapPost("/orders/{id}", async (int id) => await OrderAsync(id));
            app.MapPost("/refunds/{id}", async (int id) => await RefundAsync(id));
            app.MapGet("/prices/{id}", async (int id) => await PriceAsync(id));
        });
        web.Send("POST /orders/1 HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n");
        web.Send("POST /refunds/2 HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n");
        await Met.Task;
        for (int i = 3; i < 8; i++)
            web.Send($"POST /orders/{i} HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n");
        var client = new HttpClient();
        for (int i = 0; i < 4; i++)
            Marks.Keep(AskAsync(client, $"http://localhost:{web.Ports[0]}/prices/{i}"));
        // It never comes to rest.
        await Task.Delay(2000);
    }

    private static async Task<string> OrderAsync(int id)
    {
        await Till.WaitAsync().At("order waits for the till");
        try
        {
            await MeetAsync();
            await Stock.WaitAsync().At("order waits for the stock");
            try
            {
                return $"order {id}";
            }
            finally
            {
                Stock.Release();
            }
        }
        finally
        {
            Till.Release();
        }
    }

    private static async Task<string> RefundAsync(int id)
    {
        await Stock.WaitAsync();
        try
        {
            await MeetAsync();
            await Till.WaitAsync().At("refund waits for the till");
            try
            {
                return $"refund {id}";
            }
            finally
            {
                Till.Release();
            }
        }
        finally
        {
            Stock.Release();
        }
    }

    private static Task MeetAsync()
    {
        if (Interlocked.Increment(ref _entered) == 2)
            Met.SetResult();
        return Met.Task;
    }

    private static async Task<string> PriceAsync(int id)
    {
        await Task.Delay(3);
        return $"price {id}";
    }

    private static async Task AskAsync(HttpClient client, string address)
    {
        for (; ; )
            GC.KeepAlive(await client.GetStringAsync(address));
    }
}
