using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>
/// RateLimiter.AcquireAsync: free permits, other waiters, and when more permits are due (System.Threading.RateLimiting 10.0.12:
/// ConcurrencyLimiter, TokenBucketRateLimiter, FixedWindowRateLimiter, SlidingWindowRateLimiter). Who waits is a TaskCompletionSource in
/// the limiter's queue, and does not know it.
/// </summary>
internal sealed class RateLimiterWaits(WaitReaderContext all) : IWaitFamily<RateLimiterWaits>
{
    private const int QueueLimit = 1_000_000;
    private const int NewestFirst = 1; // QueueProcessingOrder
    private const string Space = "System.Threading.RateLimiting.";
    private const string Options = "_options";

    private static readonly LibraryObject Limiter = new(Space + "RateLimiter") { IsBase = true };

    private readonly Dictionary<ulong, (HeapObject Limiter, int Place)> _places = [];
    private readonly Dictionary<ulong, WaitReason> _reasons = [];
    private readonly WaitFactList _facts = new();
    private bool _isBuilt;

    public static IReadOnlyList<LibraryObject> Objects { get; } =
    [
        .. ((string[])["ConcurrencyLimiter", "TokenBucketRateLimiter", "FixedWindowRateLimiter", "SlidingWindowRateLimiter"])
            .Select(limiter => new LibraryObject($"{Space}{limiter}+RequestRegistration", "_task")),
        Limiter,
    ];

    public static RateLimiterWaits Open(WaitReaderContext all) => new(all);

    public WaitReason? ReadOwner(HeapObject owner, LibraryObject kind)
    {
        if (!_isBuilt)
            Build();
        // The number of requested permits, unless it is one.
        if (all.Fields.Int32(owner, ObjectFields.Behind("Count")) is > 1 and var wanted)
            _facts.Add(WaitFactKey.Wanted, wanted);
        if (!_places.TryGetValue(owner.Address, out (HeapObject Limiter, int Place) found))
            return new(WaitKind.Semaphore, "RateLimiter") { Own = _facts.Take() };
        _facts.Add(WaitFactKey.PlaceInQueue, found.Place);
        return _reasons[found.Limiter.Address] with { Own = _facts.Take() };
    }

    private void Build()
    {
        _isBuilt = true;
        foreach (HeapObject limiter in all.Library.Of(Limiter))
        {
            ulong[] waiters = [.. WaitersOf(limiter)];
            bool isNewestFirst = all.Fields.Int32(all.Fields.Follow(limiter, Options), ObjectFields.Behind("QueueProcessingOrder")) == NewestFirst;
            for (int i = 0; i < waiters.Length; i++)
                _places.TryAdd(waiters[i], (limiter, isNewestFirst ? waiters.Length - i : i + 1));
            if (waiters.Length > 0)
                _reasons[limiter.Address] = OfLimiter(limiter, waiters.Length);
        }
    }

    // The facts that all waiters of a limiter share.
    private WaitReason OfLimiter(HeapObject limiter, int waiting)
    {
        HeapObject options = all.Fields.Follow(limiter, Options);
        int? limit = all.Fields.Int32(options, ObjectFields.Behind("PermitLimit")) ?? all.Fields.Int32(options, ObjectFields.Behind("TokenLimit"));
        if (FreeIn(limiter) is { } free)
            _facts.Add(WaitFactKey.Free, free, of: limit);
        _facts.Add(WaitFactKey.Waiting, waiting);
        if (all.Fields.Follow(limiter, "_renewTimer").Address is not 0 and var timer && all.Timers.Read(timer)?.Period is { } period)
            _facts.Add(WaitFactKey.Period, period);
        return new(WaitKind.Semaphore, all.Fields.TypeOf(limiter) ?? "RateLimiter") { Resource = limiter.Address, Shared = _facts.Take() };
    }

    // A bucket can have a fraction of a token.
    private long? FreeIn(HeapObject limiter)
        => all.Fields.OffsetOf(limiter, "_tokenCount") is { } tokens
            ? limiter.Int64(tokens) is { } bits && BitConverter.Int64BitsToDouble(bits) is >= 0 and < long.MaxValue and var count ? (long)count : null
            : all.Fields.Int32(limiter, "_permitCount");

    // A ring. A cancelled request stays in it, and its task has completed.
    private IEnumerable<ulong> WaitersOf(HeapObject limiter)
    {
        HeapObject queue = all.Fields.Follow(limiter, "_queue");
        ulong[] ring = ArrayLayout.ReadReferences(all.Target.Memory, all.Fields.Follow(queue, "_array").Address, QueueLimit);
        int head = all.Fields.Int32(queue, "_head") ?? 0, size = all.Fields.Int32(queue, "_size") ?? 0;
        for (int i = 0; i < Math.Min(size, ring.Length); i++)
        {
            ulong waiter = ring[((uint)head + (uint)i) % (uint)ring.Length];
            if (waiter != 0 && !all.Fields.IsCompleted(all.Fields.Follow(all.At(waiter), "_task")))
                yield return waiter;
        }
    }
}
