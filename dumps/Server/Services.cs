using System.Collections.Concurrent;
using System.Threading.Channels;
using System.Threading.RateLimiting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Server;

/// <summary>
/// Services of a host: one has failed, and nobody reads its channel any more; one has returned, and nobody answers what is asked after that. The others only look like it: one takes long, one has not
/// been started yet.
/// </summary>
public static class Services
{
    public static async Task StartAsync(string argument)
    {
        HostApplicationBuilder builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        builder.Services.Configure<HostOptions>(options => options.BackgroundServiceExceptionBehavior = BackgroundServiceExceptionBehavior.Ignore);
        builder.Services.AddSingleton<Ledger>().AddHostedService(services => services.GetRequiredService<Ledger>());
        builder.Services.AddSingleton<Desk>().AddHostedService(services => services.GetRequiredService<Desk>());
        builder.Services.AddSingleton<Archive>().AddHostedService(services => services.GetRequiredService<Archive>());
        IHost host = builder.Build();
        Marks.Keep(host);
        await host.StartAsync();
        var later = new Later();
        Marks.Keep(later);
        Marks.Keep(host.Services.GetRequiredService<Ledger>().PayAsync());
        Marks.Keep(host.Services.GetRequiredService<Archive>().StoreAsync());
        Marks.Keep(later.FillAsync());
        Marks.Keep(Gate.EnterAsync());
        await Task.Delay(500);
        Marks.Keep(host.Services.GetRequiredService<Desk>().AskAsync(2));
    }

    public sealed record Payment(string Amount);

    public sealed record Page(int Number);

    public sealed record Letter(int Number);

    private static class Gate
    {
        // Only who has the limiter could fill it up, and that is who waits.
        public static async Task EnterAsync()
        {
            var limiter = new TokenBucketRateLimiter(new()
            {
                TokenLimit = 1, QueueLimit = 8, TokensPerPeriod = 1, ReplenishmentPeriod = TimeSpan.FromSeconds(1), AutoReplenishment = false,
            });
            limiter.AttemptAcquire();
            using RateLimitLease lease = await limiter.AcquireAsync().At("limit");
            limiter.TryReplenish();
        }
    }

    private sealed class Ledger : BackgroundService
    {
        private readonly Channel<Payment> _payments = Channel.CreateBounded<Payment>(2);

        public async Task PayAsync()
        {
            for (int i = 0; i < 10; i++)
                await _payments.Writer.WriteAsync(new(i == 0 ? "1" : "n/a")).AsTask().At("pay");
        }

        protected override Task ExecuteAsync(CancellationToken stoppingToken) => BookAsync(stoppingToken);

        private async Task BookAsync(CancellationToken stoppingToken)
        {
            await foreach (Payment payment in _payments.Reader.ReadAllAsync(stoppingToken))
            {
                await Task.Delay(1, stoppingToken);
                int.Parse(payment.Amount).At("parse");
            }
        }
    }

    private sealed class Desk : BackgroundService
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<Letter>> _asked = new();

        public async Task<int> AskAsync(int number)
        {
            var source = new TaskCompletionSource<Letter>(TaskCreationOptions.RunContinuationsAsynchronously);
            _asked[number] = source;
            Letter letter = await source.Task.At("ask");
            return letter.Number;
        }

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            await Task.Delay(10, stoppingToken);
            foreach ((int number, TaskCompletionSource<Letter> source) in _asked)
                source.TrySetResult(new(number));
        }
    }

    private sealed class Archive : BackgroundService
    {
        private readonly Channel<Page> _pages = Channel.CreateBounded<Page>(2);

        public async Task StoreAsync()
        {
            for (int i = 0; ; i++)
                await _pages.Writer.WriteAsync(new(i));
        }

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            await foreach (Page page in _pages.Reader.ReadAllAsync(stoppingToken))
                await Task.Delay(TimeSpan.FromHours(page.Number + 1), stoppingToken);
        }
    }

    private sealed class Later : BackgroundService
    {
        private readonly Channel<Letter> _letters = Channel.CreateBounded<Letter>(2);

        public async Task FillAsync()
        {
            for (int i = 0; ; i++)
                await _letters.Writer.WriteAsync(new(i));
        }

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            await foreach (Letter letter in _letters.Reader.ReadAllAsync(stoppingToken))
                Console.Error.WriteLine(letter.Number);
        }
    }
}
