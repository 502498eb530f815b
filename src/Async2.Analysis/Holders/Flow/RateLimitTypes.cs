namespace Async2.Analysis.Holders.Flow;

/// <summary>Types of System.Threading.RateLimiting (10.0.12).</summary>
internal static class RateLimitTypes
{
    private const string Space = "System.Threading.RateLimiting.";

    /// <summary>Base class of all limiters.</summary>
    public const string Limiter = Space + "RateLimiter";

    /// <summary>The one whose permits are given back.</summary>
    public const string Concurrency = Space + "ConcurrencyLimiter";

    /// <summary>Base class of what holds permits.</summary>
    public const string Lease = Space + "RateLimitLease";
}
