using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Stacks.Frames;

namespace Async2.Analysis.Stacks;

/// <summary>Equal stacks. What is known of one of them is known of the first; nothing is, while none is wanted.</summary>
internal sealed class StackGroup(StackKey key, int order)
{
    /// <summary>So many of a group are asked; what they agree on is said of all.</summary>
    private const int MemberLimit = 64;

    private readonly List<ulong> _awaited = [];

    public StackKey Key { get; } = key;

    /// <summary>How many of them are wanted.</summary>
    public long Count { get; set; }

    /// <summary>Order of discovery.</summary>
    public int Order { get; } = order;

    /// <summary>The group that stands for this one in the answer; null when it is not shown.</summary>
    public StackGroup? ShownAs { get; set; }

    public ImmutableArray<StackFrame> Frames { get; private set; } = [];

    /// <summary>The same with those that are folded; empty unless they are kept and there are some.</summary>
    public ImmutableArray<StackFrame> AllFrames { get; private set; } = [];

    /// <summary>The operations of the first member, innermost first; empty unless they are kept.</summary>
    public ImmutableArray<int> Nodes { get; private set; } = [];

    public StackState State => Key.State;

    /// <summary>Name of the idle loop that they are; null when they are none.</summary>
    public string? Idle => Key.Idle;

    public WaitingOn? WaitingOn { get; private set; }

    /// <summary>What the first members wait for.</summary>
    public IReadOnlyList<ulong> Awaited => _awaited;

    public int WaitsForNode { get; private set; } = -1;

    /// <summary>What is waited for is held by the thread of that node.</summary>
    public bool IsHeld { get; private set; }

    /// <summary>What the first waits for says more of itself than is true of all.</summary>
    public bool IsMixed { get; private set; }

    public int WaitsForCombinator { get; private set; } = -1;

    public int? Thread { get; private set; }

    public ulong Task { get; private set; }

    /// <summary>Counts a stack that is wanted.</summary>
    /// <param name="draft">The stack.</param>
    /// <param name="keepsFolded">Whoever searches the answer asks for what is not shown, too.</param>
    public void Add(StackDraft draft, bool keepsFolded)
    {
        if (draft.WaitAddress != 0 && _awaited.Count < MemberLimit)
            _awaited.Add(draft.WaitAddress);
        if (Count++ > 0)
        {
            IsMixed |= draft.WaitingOn?.Detail != WaitingOn?.Detail;
            return;
        }
        Frames = [.. draft.Frames];
        if (keepsFolded)
        {
            AllFrames = draft.AllFrames.Count == Frames.Length ? [] : [.. draft.AllFrames];
            Nodes = [.. draft.Parts.Select(part => part.Node)];
        }
        WaitingOn = draft.WaitingOn is { } wait ? wait with { Address = draft.WaitAddress == 0 ? null : draft.WaitAddress } : null;
        WaitsForNode = draft.WaitsForNode;
        IsHeld = draft.IsHeld;
        WaitsForCombinator = draft.WaitsForCombinator;
        Thread = draft.Thread;
        Task = draft.Task;
    }
}

/// <summary>What equal stacks have in common.</summary>
/// <param name="Frames">Value of the <see cref="StackSignature"/>.</param>
/// <param name="State">What they do.</param>
/// <param name="Wait">Number of the words for what they wait for.</param>
/// <param name="AwaitedGroup">Number of the group that they wait for; 0 for none.</param>
/// <param name="Idle">Name of the idle loop that they are.</param>
internal readonly record struct StackKey((ulong A, ulong B, int Length) Frames, StackState State, int Wait, int AwaitedGroup, string? Idle);
