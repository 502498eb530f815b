using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>
/// Limiters of System.Threading.RateLimiting (10.0.12). One of concurrency is a lock: its leases give their permits back when they are disposed. The others
/// give permits as time goes by: nobody holds any.
/// </summary>
internal static class RateLimits
{
    private const string Space = "System.Threading.RateLimiting.";

    /// <summary>The target uses any.</summary>
    public static bool AreLoaded(Target target) => target.Runtime.EnumerateModules().Any(module => Path.GetFileNameWithoutExtension(module.Name) == "System.Threading.RateLimiting");

    /// <summary>Base class of all limiters.</summary>
    public const string Limiter = Space + "RateLimiter";

    /// <summary>The one whose permits are given back.</summary>
    public const string Concurrency = Space + "ConcurrencyLimiter";

    /// <summary>Base class of what holds permits.</summary>
    public const string Lease = Space + "RateLimitLease";

    private const string ConcurrencyLease = Concurrency + "+ConcurrencyLease";

    /// <summary>What a semaphore that somebody waits for is called gives permits by time: subjects are names of types.</summary>
    public static bool GivesByTime(string? subject) => subject is "TokenBucketRateLimiter" or "FixedWindowRateLimiter" or "SlidingWindowRateLimiter";

    /// <summary>It is a lease that gives permits back.</summary>
    public static bool IsLease(ClrType type) => type.Name == ConcurrencyLease;

    /// <summary>The limiter whose permits a lease has; 0 if it has none, or is not a lease.</summary>
    public static ulong HeldBy(Target target, FieldsAt lease)
        => IsLease(lease.Type) && lease.Type.GetFieldByName("_limiter") is { Offset: >= 0 } limiter && lease.Type.GetFieldByName("_disposed") is { Offset: >= 0 } disposed
            && target.Memory.TryReadPointer(lease.Address + (ulong)limiter.Offset, out ulong held) && new Layouts.Types.HeapObject(target.Memory, lease.Address + (ulong)disposed.Offset).Byte(0) == 0 ? held : 0;
}
