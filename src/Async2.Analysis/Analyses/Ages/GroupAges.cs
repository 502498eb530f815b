using Async2.Analysis.Model.Ages;

namespace Async2.Analysis.Analyses.Ages;

/// <summary>Ages of equal stacks together: that of the oldest, and how many are how old.</summary>
internal static class GroupAges
{
    // From which ages on stacks are counted, in ms.
    private static readonly long[] Steps = [0, 1000, 10_000, 60_000, 600_000, 3_600_000];

    /// <param name="ages">Those of the model; null for none.</param>
    /// <param name="stacks">Numbers of the stacks.</param>
    public static StackAge? Of(WaitAges? ages, IReadOnlyList<int> stacks) => ages is null ? null : Of(ages.OfStack, stacks);

    /// <param name="ages">The age of a stack, by its number.</param>
    /// <param name="stacks">Numbers of the stacks.</param>
    public static StackAge? Of(Func<int, StackAge?> ages, IReadOnlyList<int> stacks)
    {
        StackAge? oldest = null;
        long known = 0;
        long[] counts = new long[Steps.Length];
        foreach (int stack in stacks)
        {
            if (ages(stack) is not { } age)
                continue;
            known++;
            counts[StepOf(age.AtLeastMs)]++;
            if (Compare(age, oldest) > 0)
                oldest = age;
        }
        return oldest is null ? null : oldest with { Stacks = known, Shares = stacks.Count == 1 ? [] : Shares(counts) };
    }

    /// <summary>Orders by what is proved: first by the time that something waits at least, then by the most that it may.</summary>
    public static int Compare(StackAge? a, StackAge? b)
    {
        int byLeast = (a?.AtLeastMs ?? -1).CompareTo(b?.AtLeastMs ?? -1);
        return byLeast != 0 || a is null || b is null ? byLeast : (a.AtMostMs ?? long.MaxValue).CompareTo(b.AtMostMs ?? long.MaxValue);
    }

    private static int StepOf(long age)
    {
        int step = Steps.Length - 1;
        while (step > 0 && Steps[step] > age)
            step--;
        return step;
    }

    private static AgeShare[] Shares(long[] counts)
        => [.. Steps.Select((from, i) => new AgeShare(from, counts[i])).Where(share => share.Stacks > 0)];
}
