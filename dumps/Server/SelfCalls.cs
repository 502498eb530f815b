using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.RateLimiting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Server;

/// <summary>
/// A server that sends requests to itself: for something that its caller holds (quota; quota2 over HTTP/2, all on one connection), also where that is a permit of the server's rate limiting (limited), in its start, for what comes when it
/// has started (start), or for what only takes long (slow, limitedSlow). And a request of a client from outside that nothing can answer any more (lost), which is there until the next collection.
/// </summary>
public static class SelfCalls
{
    private static readonly SemaphoreSlim Slots = new(1, 1);
    private static readonly HttpClient Client = new() { Timeout = Timeout.InfiniteTimeSpan, DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact };
    private static readonly TaskCompletionSource<int> Port = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public static async Task StartAsync(string argument)
    {
        bool isStart = argument == "start", isHttp2 = argument == "quota2";
        if (isStart)
            Marks.Keep(ServeAtStartAsync());
        else
        {
            Web web = await Web.StartAsync(services => services.AddRateLimiter(options => options.AddConcurrencyLimiter("one", one => (one.PermitLimit, one.QueueLimit) = (1, 10))), app =>
            {
                app.UseRateLimiter();
                app.MapGet("/reports/{id}", async (int id) => await AskAsync(argument == "limited" ? $"totals/{id}" : $"prices/{id}")).RequireRateLimiting("one");
                app.MapGet("/totals/{id}", async (int id) => await PriceAsync(id, argument)).RequireRateLimiting("one");
                app.MapGet("/orders/{id}", async (int id) => await (argument is "quota" or "quota2" ? OrderAsync(id) : AskAsync($"prices/{id}")));
                app.MapGet("/prices/{id}", async (int id) => await PriceAsync(id, argument));
                app.MapGet("/lost", async () => await LostAsync());
            });
            if (isHttp2)
                Client.DefaultRequestVersion = HttpVersion.Version20;
            Port.SetResult(web.Ports[isHttp2 ? 1 : 0]);
            if (argument == "lost")
                web.Send("GET /lost HTTP/1.1\nHost: localhost\n\n");
            else if (argument.StartsWith("limited", StringComparison.Ordinal))
                Marks.Keep(Task.WhenAll(AskAsync("reports/1"), AskAsync("reports/2")));
            else
                Marks.Keep(AskAsync("orders/1?full=1"));
        }
        await Task.Delay(1500);
    }

    private static async Task<string> AskAsync(string path) => await Client.GetStringAsync($"http://127.0.0.1:{await Port.Task}/{path}").At("ask");

    private static async Task<string> OrderAsync(int id)
    {
        await Slots.WaitAsync();
        try
        {
            return await AskAsync($"prices/{id}").At("inside");
        }
        finally
        {
            Slots.Release();
        }
    }

    private static async Task<string> PriceAsync(int id, string argument)
    {
        if (argument is "slow" or "limitedSlow")
            await Task.Delay(TimeSpan.FromHours(1));
        await Slots.WaitAsync().At("price");
        Slots.Release();
        return $"{id}";
    }

    // Nobody else has it.
    private static async Task<string> LostAsync()
    {
        var answer = new TaskCompletionSource<string>();
        return await answer.Task.At("lost");
    }

    private static async Task ServeAtStartAsync()
    {
        Web web = await Web.StartAsync(services => services.AddSingleton<Gate>().AddHostedService<Announcer>(), app =>
        {
            app.Lifetime.ApplicationStarted.Register(() => Marks.Keep(app));
            app.MapGet("/state", async (Gate gate) => await gate.StateAsync());
            app.Services.GetRequiredService<Gate>();
        });
        Marks.Keep(web);
    }

    private sealed class Gate
    {
        private readonly TaskCompletionSource<string> _state = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Gate(IHostApplicationLifetime lifetime) => lifetime.ApplicationStarted.Register(() => _state.TrySetResult("started"));

        public async Task<string> StateAsync() => await _state.Task.At("state");
    }

    // When the server listens, and before the host has started.
    private sealed class Announcer(Microsoft.AspNetCore.Hosting.Server.IServer server) : IHostedLifecycleService
    {
        public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public async Task StartedAsync(CancellationToken cancellationToken)
        {
            string address = server.Features.Get<Microsoft.AspNetCore.Hosting.Server.Features.IServerAddressesFeature>()!.Addresses.First();
            Marks.Keep(await Client.GetStringAsync($"{address}/state", CancellationToken.None).At("announce"));
        }

        public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
