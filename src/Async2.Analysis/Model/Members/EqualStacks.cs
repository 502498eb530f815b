using System.Collections.Immutable;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Model.Members;

/// <summary>What each of equal stacks has for itself: their frames are the same, their variables, labels and ages are not.</summary>
/// <param name="Members">The first ones, those that have waited longest first.</param>
/// <param name="Read">Of how many stacks variables were read: <see cref="Spread"/> counts these.</param>
/// <param name="Spread">How far the values of each variable differ, frame by frame from the innermost; only those with more than one value.</param>
public sealed record EqualStacks(ImmutableArray<StackMember> Members, long Read, ImmutableArray<VariableSpread> Spread);

/// <summary>One of several equal stacks.</summary>
public sealed record StackMember
{
    /// <summary>Address of its task; null for none.</summary>
    public ulong? Task { get; init; }

    /// <summary>Managed id of the thread that runs or blocks in it.</summary>
    public int? Thread { get; init; }

    /// <summary>For how long it has waited.</summary>
    public StackAge? Age { get; init; }

    /// <summary>For whom it works.</summary>
    public ImmutableArray<StackLabel> Labels { get; init; } = [];

    /// <summary>Variables by the index of their frame, 0 for the innermost; empty if they were not read.</summary>
    public IReadOnlyDictionary<int, ImmutableArray<LocalValue>> Locals { get; init; } = ImmutableDictionary<int, ImmutableArray<LocalValue>>.Empty;
}

/// <summary>How far the values of a variable differ between equal stacks.</summary>
/// <param name="Frame">Index of its frame, 0 for the innermost.</param>
/// <param name="Name">Its name.</param>
/// <param name="Values">How many different values there are.</param>
/// <param name="Of">How many stacks have a value.</param>
/// <param name="Largest">The values that most have; empty if all differ.</param>
public sealed record VariableSpread(int Frame, string Name, long Values, long Of, ImmutableArray<LabelShare> Largest);
