using System.Threading.RateLimiting;

namespace Server;

/// <summary>Leases of two limiters: an exception has lost those of one, and those of the other are held by who takes long.</summary>
public static class LostLeases
{
    private static readonly ConcurrencyLimiter Mail = New(), Print = New();
    private static int sent;

    public static async Task StartAsync(string argument)
    {
        for (int i = 0; i < 2; i++)
        {
            Task lost = SendAsync(isBad: true);
            Marks.Keep(lost);
            await lost.ContinueWith(static _ => { }, TaskScheduler.Default);
        }
        for (int i = 0; i < 3; i++)
        {
            Marks.Keep(SendAsync(isBad: false));
            Marks.Keep(PrintAsync());
        }
        await Task.Delay(300);
    }

    private static ConcurrencyLimiter New() => new(new() { PermitLimit = 2, QueueLimit = 10, QueueProcessingOrder = QueueProcessingOrder.OldestFirst });

    private static async Task SendAsync(bool isBad)
    {
        RateLimitLease lease = await Mail.AcquireAsync().At("send");
        await ConnectAsync(isBad);
        sent++;
        lease.Dispose();
    }

    private static async Task PrintAsync()
    {
        using RateLimitLease lease = await Print.AcquireAsync().At("print");
        await Task.Delay(TimeSpan.FromHours(1));
        sent++;
    }

    private static async Task ConnectAsync(bool isBad)
    {
        await Task.Delay(10);
        if (isBad)
            throw new IOException("refused");
    }
}
