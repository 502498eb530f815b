using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Server;

/// <summary>A host that has not started all of its services: one waits in its start for what another would bring, which comes after it; or came before it, and takes long.</summary>
public static class Startups
{
    public static async Task StartAsync(string argument)
    {
        HostApplicationBuilder builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<Rates>();
        if (argument == "slow")
            builder.Services.AddHostedService<Feed>().AddHostedService<Prices>();
        else if (argument == "own")
            builder.Services.AddHostedService<Prices>().AddHostedService<Loader>();
        else if (argument == "ownSlow")
            builder.Services.AddHostedService<Loader>().AddHostedService<Prices>();
        else
            builder.Services.AddHostedService<Prices>().AddHostedService<Feed>();
        IHost host = builder.Build();
        Marks.Keep(host);
        Marks.Keep(host.StartAsync());
        await Task.Delay(500);
    }

    public sealed record Rate(string Currency);

    private sealed class Rates
    {
        private readonly TaskCompletionSource<Rate> _first = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public async Task<string> FirstAsync()
        {
            Rate rate = await _first.Task.At("first");
            return rate.Currency;
        }

        public void Publish(Rate rate) => _first.TrySetResult(rate);
    }

    private sealed class Prices(Rates rates) : IHostedService
    {
        public async Task StartAsync(CancellationToken cancellationToken) => Console.Error.WriteLine(await rates.FirstAsync());

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }

    private sealed class Feed(Rates rates) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            await Task.Delay(TimeSpan.FromHours(1), stoppingToken);
            rates.Publish(new("EUR"));
        }
    }

    // No BackgroundService. It goes on by itself when it has started.
    private sealed class Loader(Rates rates) : IHostedService
    {
        public Task StartAsync(CancellationToken cancellationToken)
        {
            Marks.Keep(LoadAsync());
            return Task.CompletedTask;
        }

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        private async Task LoadAsync()
        {
            await Task.Delay(TimeSpan.FromHours(1));
            rates.Publish(new("EUR"));
        }
    }
}
