using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders.Kept;

/// <summary>
/// Limiters of System.Threading.RateLimiting (10.0.12). One of concurrency is a lock: its leases give their permits back when they are disposed. The others
/// give permits as time goes by: nobody holds any.
/// </summary>
internal static class RateLimits
{
    private const string ConcurrencyLease = RateLimitTypes.Concurrency + "+ConcurrencyLease";

    /// <summary>The target uses any.</summary>
    public static bool AreLoaded(Target target) => target.Runtime.EnumerateModules().Any(module => Path.GetFileNameWithoutExtension(module.Name) == "System.Threading.RateLimiting");

    /// <summary>What a semaphore that somebody waits for is called gives permits by time: subjects are names of types.</summary>
    public static bool GivesByTime(string? subject) => subject is "TokenBucketRateLimiter" or "FixedWindowRateLimiter" or "SlidingWindowRateLimiter";

    /// <summary>It is a lease that gives permits back.</summary>
    public static bool IsLease(ClrType type) => type.Name == ConcurrencyLease;

    /// <summary>The limiter whose permits a lease has; 0 if it has none, or is not a lease.</summary>
    public static ulong HeldBy(Target target, FieldsAt lease)
        => IsLease(lease.Type) && lease.Type.GetFieldByName("_limiter") is { Offset: >= 0 } limiter && lease.Type.GetFieldByName("_disposed") is { Offset: >= 0 } disposed
            && target.Memory.TryReadPointer(lease.Address + (ulong)limiter.Offset, out ulong held) && new Layouts.Types.HeapObject(target.Memory, lease.Address + (ulong)disposed.Offset).Byte(0) == 0 ? held : 0;
}
