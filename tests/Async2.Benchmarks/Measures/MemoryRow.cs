using Async2.Benchmarks.Processes;
using Async2.Benchmarks.Results;

namespace Async2.Benchmarks.Measures;

/// <summary>The tool's highest private memory against what it is allowed: a fixed part and a part for each suspended frame.</summary>
internal static class MemoryRow
{
    private const double Fixed = 80e6;
    private const double PerFrame = 64;

    public static Row Of(string name, string what, Tool tool, string target, long frames, int rounds)
        => new(name, $"{what} / 64 bytes a frame + 80 MB", Enumerable.Range(0, rounds).Max(_ => tool.PeakMemory(target)), Fixed + PerFrame * frames, Unit.Megabytes) { Goal = 1 };
}
