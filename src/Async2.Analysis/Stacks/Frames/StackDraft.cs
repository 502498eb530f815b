using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>
/// A stack under construction: an operation and its waiters. Its frames are not created, because most stacks are equal to an
/// earlier one.
/// </summary>
internal sealed class StackDraft
{
    private StackSignature _shape;

    public List<StackPart> Parts { get; } = [];

    /// <summary>Equal for stacks that have the same frames; those of one stack may differ in it all the same.</summary>
    public StackFingerprint Shape => _shape.Value;

    public StackState State { get; set; }

    /// <summary>What it waits for; the address may be another stack's: see <see cref="WaitAddress"/>.</summary>
    public WaitingOn? WaitingOn { get; set; }

    /// <summary>Address of what it waits for; 0 when not known.</summary>
    public ulong WaitAddress { get; set; }

    /// <summary>The node, perhaps a combinator, that this one waits for; -1 for none.</summary>
    public int WaitsFor { get; set; } = -1;

    /// <summary>The same where it is not an await of the innermost node: that of a thread that has to let go; -1 for none.</summary>
    public int HeldBy { get; set; } = -1;

    /// <summary>Task of the outermost operation.</summary>
    public ulong Task { get; set; }

    public StackFlags Flags { get; set; }

    /// <summary>Adds the next node, going outwards.</summary>
    /// <param name="part">The node.</param>
    /// <param name="shape">Equal for parts that have the same frames.</param>
    public void Add(StackPart part, int shape)
    {
        Parts.Add(part);
        _shape.Add(shape);
        _shape.Add((part.Skip << 2) | (part.IsAwaiting ? 2 : 0) | (part.RunsInHead ? 1 : 0));
        _shape.Add(part.Note);
    }

    public void Clear()
    {
        Parts.Clear();
        _shape = default;
        State = StackState.Awaiting;
        WaitingOn = null;
        WaitAddress = 0;
        WaitsFor = -1;
        HeldBy = -1;
        Task = 0;
        Flags = StackFlags.None;
    }
}

/// <summary>One node's share of a stack, before it is turned into frames.</summary>
/// <param name="Node">The node.</param>
/// <param name="Skip">So many of its innermost frames have returned, or are on the thread.</param>
/// <param name="IsAwaiting">Chain: it is known to wait, so that even its innermost frame has a callee that may be elided.</param>
/// <param name="RunsInHead">Chain: the innermost frame executes now: its saved await is past.</param>
/// <param name="Note">Number (<see cref="FrameExpander.NumberOf"/>) of how its innermost frame waits for the part before; -1 for nothing to say.</param>
internal readonly record struct StackPart(int Node, int Skip = 0, bool IsAwaiting = false, bool RunsInHead = false, int Note = -1);
