using System.Globalization;

namespace Async2.Benchmarks.Results;

/// <summary>One line of the table: what we took, what the peer took.</summary>
/// <param name="Workload">Which workload.</param>
/// <param name="What">What is divided by what.</param>
/// <param name="Ours">Our median.</param>
/// <param name="Peer">The peer's median, or the bound.</param>
/// <param name="Unit">Of both.</param>
internal sealed record Row(string Workload, string What, double Ours, double Peer, Unit Unit)
{
    /// <summary>The highest ratio that is good enough; null where none was promised.</summary>
    public double? Goal { get; init; }

    public IReadOnlyList<string> Cells =>
    [
        Workload,
        What,
        Unit.Format(Ours),
        Unit.Format(Peer),
        Format(Ratio),
        Goal is { } goal ? "<= " + goal.ToString(CultureInfo.InvariantCulture) : "",
        Goal is { } limit ? Ratio <= limit ? "met" : "missed" : "",
    ];

    private double Ratio => Ours / Peer;

    private static string Format(double ratio) => ratio.ToString(ratio < 10 ? "F2" : "F1", CultureInfo.InvariantCulture);
}
