using Async2.Benchmarks.Results;

namespace Async2.Benchmarks.Measures;

/// <summary>What one size of the same workload took.</summary>
/// <param name="Name">Name of the workload.</param>
/// <param name="Frames">Suspended methods.</param>
/// <param name="Whole">The whole command, in milliseconds.</param>
/// <param name="Warm">The analysis alone, warm, in milliseconds.</param>
internal sealed record GrowthPoint(string Name, long Frames, double Whole, double Warm)
{
    private const long SmallestFrames = 10_000;
    private const long LargestFrames = 5_000_000;

    /// <summary>How much the time of one frame grows from a size to any larger one, at worst. Falling is no miss.</summary>
    public static IEnumerable<Row> Rows(IEnumerable<GrowthPoint> points)
    {
        GrowthPoint[] sizes = [.. points.Where(point => point.Frames >= SmallestFrames).OrderBy(point => point.Frames)];
        if (sizes.Length < 2)
            yield break;
        string range = $"{sizes[0].Name} to {sizes[^1].Name}";
        double? goal = sizes[0].Frames == SmallestFrames && sizes[^1].Frames == LargestFrames ? 1.5 : null;
        yield return Worst(range, "time of a frame, larger / smaller, whole command", sizes, point => point.Whole) with { Goal = goal };
        yield return Worst(range, "time of a frame, larger / smaller, warm", sizes, point => point.Warm) with { Goal = goal };
    }

    private static Row Worst(string name, string what, GrowthPoint[] sizes, Func<GrowthPoint, double> time)
    {
        (double Larger, double Smaller) worst = sizes
            .SelectMany((smaller, index) => sizes.Skip(index + 1).Select(larger => (PerFrame(larger), PerFrame(smaller))))
            .MaxBy(pair => pair.Item1 / pair.Item2);
        return new Row(name, what, worst.Larger, worst.Smaller, Unit.Nanoseconds);

        double PerFrame(GrowthPoint point) => 1e6 * time(point) / point.Frames;
    }
}
