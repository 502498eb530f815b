using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Query.Answers;

/// <summary>Equal stacks of a model.</summary>
/// <param name="key">What they have in common.</param>
/// <param name="order">Order of discovery.</param>
internal sealed class StackGroup(StackKey key, int order)
{
    public StackKey Key { get; } = key;

    /// <summary>Order of discovery.</summary>
    public int Order { get; } = order;

    /// <summary>The matching stacks, by their numbers in the model.</summary>
    public RowList<int> Members { get; } = new();

    /// <summary>The first of them, which is shown.</summary>
    public int First => Members[0];

    /// <summary>Its place in the answer, from 1.</summary>
    public int Number { get; set; }

    /// <summary>By which the answer shows it.</summary>
    public string Id => string.Create(CultureInfo.InvariantCulture, $"s{Number}");

    /// <summary>The group that represents this one in the answer; null if it is not shown.</summary>
    public StackGroup? ShownAs { get; set; }
}

/// <summary>What equal stacks have in common.</summary>
/// <param name="Frames">The <see cref="StackSignature"/> of its visible content.</param>
/// <param name="State">Their state.</param>
/// <param name="Wait">Number of the text for what they wait for.</param>
/// <param name="AwaitedGroup">Number of the group that they wait for; 0 for none.</param>
/// <param name="Idle">Number of the name of the idle loop that they are.</param>
/// <param name="IsTask">They are tasks without an async method.</param>
/// <param name="Resource">Address of the semaphore, lock or pool that they wait for; 0 if it does not distinguish stacks.</param>
internal readonly record struct StackKey(StackFingerprint Frames, StackState State, int Wait, int AwaitedGroup, short Idle, bool IsTask, ulong Resource);
