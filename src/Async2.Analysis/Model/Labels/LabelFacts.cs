using System.Collections.Immutable;

namespace Async2.Analysis.Model.Labels;

/// <summary>The labels of all stacks, in columns: each label once, and each combination that stacks have once. A stack without labels takes no room.</summary>
internal sealed class LabelFacts
{
    /// <summary>Of a target without any.</summary>
    public static LabelFacts None { get; } = new();

    /// <summary>Each once.</summary>
    public IReadOnlyList<StackLabel> Labels { get; init; } = [];

    /// <summary>What stacks have together, as numbers of labels.</summary>
    public IReadOnlyList<ImmutableArray<int>> Sets { get; init; } = [];

    /// <summary>Number of its set, by the number of the stack.</summary>
    public IReadOnlyDictionary<int, int> SetOf { get; init; } = new Dictionary<int, int>();

    /// <summary>Whether there are none.</summary>
    public bool IsEmpty => SetOf.Count == 0;

    /// <summary>The labels of a stack.</summary>
    public IEnumerable<StackLabel> Of(int stack) => SetOf.TryGetValue(stack, out int set) ? Sets[set].Select(label => Labels[label]) : [];

    /// <summary>The first label of a stack with a name; null if it has none.</summary>
    public StackLabel? Find(int stack, string name)
    {
        if (!SetOf.TryGetValue(stack, out int set))
            return null;
        foreach (int label in Sets[set])
        {
            if (LabelNames.IsNamed(Labels[label].Name, name))
                return Labels[label];
        }
        return null;
    }

    /// <summary>The same with other values.</summary>
    public LabelFacts With(Func<StackLabel, StackLabel> change) => IsEmpty ? this : new() { Labels = [.. Labels.Select(change)], Sets = Sets, SetOf = SetOf };
}
