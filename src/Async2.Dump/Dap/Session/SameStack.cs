using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Dump.Dap.Session;

/// <summary>Finds a selected stack among those of a later capture, in which it may have moved on.</summary>
internal static class SameStack
{
    // Deeper stacks are compared by their outermost frames.
    private const int MostCompared = 10_000;

    /// <summary>Its number, from 1; null if it no longer exists.</summary>
    /// <param name="stacks">Stacks of the later capture.</param>
    /// <param name="seen">The stack of the earlier one.</param>
    public static int? In(ImmutableArray<LogicalStack> stacks, LogicalStack seen)
    {
        int best = 0, most = 0;
        for (int i = 0; i < stacks.Length; i++)
        {
            if (Similarity(seen, stacks[i]) is var similarity && similarity > most)
                (best, most) = (i + 1, similarity);
        }
        return best > 0 ? best : null;
    }

    // Equal frames count more than the same task, and that more than equal outer frames; at least half of those must be equal.
    private static int Similarity(LogicalStack seen, LogicalStack other)
    {
        int alike = Outermost(seen, other, exactly: false), all = Math.Min(seen.Frames.Count, MostCompared);
        bool isWhole = seen.Frames.Count == other.Frames.Count && Outermost(seen, other, exactly: true) == all;
        int sameTask = seen.Task is not null && seen.Task == other.Task ? 1 : 0;
        if (isWhole)
            return (4 * MostCompared) + (2 * sameTask) + (seen.State == other.State ? 1 : 0);
        return sameTask == 1 ? (2 * MostCompared) + alike : alike > 0 && 2 * alike >= all ? alike : 0;
    }

    // Number of equal frames, counted from the outermost.
    private static int Outermost(LogicalStack one, LogicalStack other, bool exactly)
    {
        int most = Math.Min(Math.Min(one.Frames.Count, other.Frames.Count), MostCompared), alike = 0;
        while (alike < most && IsSame(one.Frames.WithoutAddress(one.Frames.Count - 1 - alike), other.Frames.WithoutAddress(other.Frames.Count - 1 - alike), exactly))
            alike++;
        return alike;
    }

    private static bool IsSame(LogicalFrame one, LogicalFrame other, bool exactly)
        => one.Method == other.Method && (!exactly || (one.Line == other.Line && one.ILOffset == other.ILOffset));
}
