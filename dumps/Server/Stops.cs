using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Server;

/// <summary>A host that has begun to stop, or to start, and a service, or a request, that does not let it.</summary>
public static class Stops
{
    private static readonly Channel<string> News = Channel.CreateUnbounded<string>();

    public static async Task StartAsync(string argument)
    {
        if (argument.StartsWith("requests", StringComparison.Ordinal))
        {
            await StartWebAsync(isSlow: argument == "requestsSlow");
            return;
        }
        HostApplicationBuilder builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromHours(1));
        if (argument == "loop")
            builder.Services.AddHostedService<Unloading>();
        else if (argument == "slow")
            builder.Services.AddHostedService<Warming>();
        else
            builder.Services.AddHostedService<Weighing>();
        IHost host = builder.Build();
        Marks.Keep(host);
        if (argument == "slow")
        {
            Marks.Keep(host.StartAsync());
        }
        else
        {
            await host.StartAsync();
            // What runs in the background may not have begun yet, and never does once the host stops.
            if (argument == "background")
                await Weighing.Begun;
            Marks.Keep(host.StopAsync());
        }
        await Task.Delay(500);
    }

    private static async Task StartWebAsync(bool isSlow)
    {
        Web web = await Web.StartAsync(
            services => services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromHours(1)),
            app => app.MapGet("/feed", async (IHostApplicationLifetime lifetime) => isSlow ? await FeedSlowlyAsync() : await FeedAsync(lifetime)));
        web.Send("GET /feed HTTP/1.1\nHost: localhost\n\n");
        while (web.Begun == 0)
            await Task.Delay(50);
        await Task.Delay(500);
        Marks.Keep(web.StopAsync());
        await Task.Delay(500);
    }

    // The token is cancelled when all requests are done.
    private static async Task<string> FeedAsync(IHostApplicationLifetime lifetime) => await News.Reader.ReadAsync(lifetime.ApplicationStopped).At("feed");

    private static async Task<string> FeedSlowlyAsync()
    {
        await Task.Delay(TimeSpan.FromHours(1)).At("slow");
        return "";
    }

    // Its loop has a token that nobody cancels.
    private sealed class Unloading : IHostedService
    {
        private readonly Channel<string> _wagons = Channel.CreateUnbounded<string>();
        private readonly CancellationTokenSource _stop = new();
        private Task? _loop;
        private int _unloaded;

        public Task StartAsync(CancellationToken cancellationToken)
        {
            _loop = UnloadAsync(_stop.Token);
            return Task.CompletedTask;
        }

        public async Task StopAsync(CancellationToken cancellationToken)
        {
            await _loop!.At("stop");
            _stop.Dispose();
        }

        private async Task UnloadAsync(CancellationToken stop)
        {
            await foreach (string wagon in _wagons.Reader.ReadAllAsync(stop))
                _unloaded += wagon.Length;
        }
    }

    // It does not look at its token.
    private sealed class Weighing : BackgroundService
    {
        private static readonly TaskCompletionSource Began = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public static Task Begun => Began.Task;

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            Began.SetResult();
            await Task.Delay(TimeSpan.FromHours(1), CancellationToken.None).At("weigh");
            Console.Error.WriteLine("weighed");
        }
    }

    private sealed class Warming : IHostedService
    {
        public async Task StartAsync(CancellationToken cancellationToken)
        {
            await Task.Delay(TimeSpan.FromHours(1), cancellationToken).At("warm");
            Console.Error.WriteLine("warm");
        }

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
