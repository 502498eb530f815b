using System.Globalization;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Stacks;

namespace Async2.Dump.Samples;

/// <summary>Whether two snapshots of the same program show the same stacks: everything but addresses and order.</summary>
internal static class Agreement
{
    /// <summary>Stacks that only one of the two has, as <c>398x A &lt; B &lt; C</c>.</summary>
    public static (IReadOnlyList<string> OnlyFirst, IReadOnlyList<string> OnlySecond) Differences(AsyncSnapshot first, AsyncSnapshot second)
    {
        HashSet<string> a = [.. first.Stacks.Select(Signature)], b = [.. second.Stacks.Select(Signature)];
        return ([.. a.Except(b).Order(StringComparer.Ordinal)], [.. b.Except(a).Order(StringComparer.Ordinal)]);
    }

    private static string Signature(LogicalStack stack)
        => $"{stack.Count.ToString(CultureInfo.InvariantCulture)}x {stack.State} {string.Join(" < ", stack.Frames.Select(Signature))}";

    private static string Signature(LogicalFrame frame)
        => frame.Line is int line ? $"{frame.Method}:{line.ToString(CultureInfo.InvariantCulture)}" : frame.Method;
}
