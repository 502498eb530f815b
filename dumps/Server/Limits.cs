using System.Threading.RateLimiting;

namespace Server;

/// <summary>Who waits for permits of rate limiters: one that counts who is inside, and a bucket that is filled from time to time, newest first.</summary>
public static class Limits
{
    public static async Task StartAsync(string argument)
    {
        var ovens = new ConcurrencyLimiter(new() { PermitLimit = 2, QueueLimit = 10, QueueProcessingOrder = QueueProcessingOrder.OldestFirst });
        var till = new TokenBucketRateLimiter(new()
        {
            TokenLimit = 5,
            TokensPerPeriod = 1,
            ReplenishmentPeriod = TimeSpan.FromMinutes(10),
            QueueLimit = 10,
            QueueProcessingOrder = QueueProcessingOrder.NewestFirst,
        });
        Marks.Keep(await ovens.AcquireAsync(2));
        Marks.Keep(await till.AcquireAsync(4));
        for (int i = 0; i < 3; i++)
            Marks.Keep(EnterAsync(ovens));
        Marks.Keep(TakeFirstAsync(till));
        Marks.Keep(TakeLastAsync(till));
        RateLimiterStatistics inside = ovens.GetStatistics()!, left = till.GetStatistics()!;
        Idle.Count("ovens free", (int)inside.CurrentAvailablePermits);
        Idle.Count("ovens waiting", (int)inside.CurrentQueuedCount);
        Idle.Count("till free", (int)left.CurrentAvailablePermits);
        Idle.Count("till wanted", (int)left.CurrentQueuedCount);
        await Idle.SettleAsync();
    }

    private static async Task<bool> EnterAsync(ConcurrencyLimiter ovens)
    {
        using RateLimitLease lease = await ovens.AcquireAsync().At("enter");
        return lease.IsAcquired;
    }

    private static async Task<bool> TakeFirstAsync(TokenBucketRateLimiter till)
    {
        using RateLimitLease lease = await till.AcquireAsync(3).At("take first");
        return lease.IsAcquired;
    }

    private static async Task<bool> TakeLastAsync(TokenBucketRateLimiter till)
    {
        using RateLimitLease lease = await till.AcquireAsync(2).At("take last");
        return lease.IsAcquired;
    }
}
