using System.Collections.Immutable;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Snapshots;

/// <summary>Writes and reads which labels stacks have. Their texts are in the tables.</summary>
internal static class LabelColumns
{
    /// <param name="labels">The labels.</param>
    /// <param name="columns">Where they go.</param>
    public static void Write(LabelFacts labels, ColumnWriter columns)
    {
        columns.Count(labels.Sets.Count);
        foreach (ImmutableArray<int> set in labels.Sets)
        {
            columns.Count(set.Length);
            columns.Near(set.AsSpan());
        }
        KeyValuePair<int, int>[] stacks = [.. labels.SetOf.OrderBy(pair => pair.Key)];
        columns.Count(stacks.Length);
        columns.Near([.. stacks.Select(pair => pair.Key)]);
        columns.Near([.. stacks.Select(pair => pair.Value)]);
    }

    /// <param name="part">The part.</param>
    /// <param name="labels">Their texts.</param>
    /// <param name="stacks">How many stacks there are.</param>
    public static LabelFacts Read(ColumnReader part, IReadOnlyList<StackLabel> labels, int stacks)
    {
        ImmutableArray<int>[] sets = part.Array<ImmutableArray<int>>(part.Count());
        for (int i = 0; i < sets.Length; i++)
            sets[i] = [.. part.Near(part.Count(), 0, labels.Count)];
        int count = part.Count();
        int[] of = part.Near(count, 0, stacks), numbers = part.Near(count, 0, sets.Length);
        part.End();
        var setOf = new Dictionary<int, int>(count);
        for (int i = 0; i < count; i++)
        {
            if (!setOf.TryAdd(of[i], numbers[i]))
                throw part.Damaged("a stack is there twice");
        }
        return new() { Labels = labels, Sets = sets, SetOf = setOf };
    }
}
