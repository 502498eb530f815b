namespace Async2.Benchmarks;

/// <summary>One heap to look at.</summary>
/// <param name="Name">For <c>--only</c> and the table.</param>
/// <param name="Arguments">What the workload program is started with.</param>
/// <param name="Big">Left out by <c>--quick</c>: its dump has a gigabyte or more.</param>
internal sealed record Workload(string Name, string[] Arguments, bool Big = false)
{
    /// <summary>The design's own workload: 10,000 chains of 100 frames.</summary>
    public const string Million = "frames-1m";

    /// <summary>20 million objects, of which few are async.</summary>
    public const string Unrelated = "unrelated";

    public const string Single = "single-1m";

    public const string Mixed = "mixed";

    public const string Deep = "deep-1m";

    /// <summary>Whether it is one size of the workload whose growth is shown.</summary>
    public bool Grows => Name.StartsWith("frames-", StringComparison.Ordinal);

    /// <summary>In order of size, so that growth can be read downwards.</summary>
    public static IReadOnlyList<Workload> All { get; } =
    [
        new("frames-1k", ["chains", "10", "100"]),
        new("frames-10k", ["chains", "100", "100"]),
        new("frames-100k", ["chains", "1000", "100"]),
        new(Million, ["chains", "10000", "100"]),
        new("frames-5m", ["chains", "50000", "100"], Big: true),
        new(Deep, ["deep", "1000000"]),
        new(Single, ["chains", "1000000", "1"]),
        new(Mixed, ["mixed", "10000", "21"]),
        new(Unrelated, ["crowd", "20000000"], Big: true),
    ];
}
