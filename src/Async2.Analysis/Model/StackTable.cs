using System.Collections.Immutable;
using System.Runtime.InteropServices;

namespace Async2.Analysis.Model;

/// <summary>Further properties of a stack.</summary>
[Flags]
internal enum StackFlags : byte
{
    None = 0,

    /// <summary>The node that it waits for does not complete the awaited object: its thread has to release something.</summary>
    IsHeld = 1,

    /// <summary>A thread without async operations: shown if a query names the thread.</summary>
    IsPlainThread = 2,

    /// <summary>Tasks without an async method; their waits are shown in full.</summary>
    IsTask = 4,

    /// <summary>Its task is the last operation among its nodes.</summary>
    IsTaskLast = 8,
}

/// <summary>A stack as a row of 24 bytes.</summary>
/// <param name="WaitAddress">Address of what it waits for; 0 if unknown.</param>
/// <param name="Shape">Number of its shape.</param>
/// <param name="FirstNode">Where its nodes begin in the column of nodes; their number is the number of the shape's parts.</param>
/// <param name="Wait">Number of what it waits for; -1 for nothing.</param>
/// <param name="Idle">Number of its idle loop's name; 0 for none.</param>
/// <param name="State">What it does.</param>
/// <param name="Flags">Further properties.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct StackRow(ulong WaitAddress, int Shape, int FirstNode, int Wait, short Idle, StackState State, StackFlags Flags);

/// <summary>Every logical stack of a target, including equal ones, in the order of discovery.</summary>
internal sealed class StackTable
{
    // In a shorter one, looking through it takes no time.
    private const int LongStack = 64;

    // The last long stack that was asked about: rules ask for one of its nodes after the other, and it may have a hundred thousand.
    private LongStackParts? _long;

    /// <summary>None.</summary>
    public static StackTable Empty { get; } = new() { Rows = new(), Shapes = [], Nodes = new(), Waits = [], Idle = [null], HeldBy = new Dictionary<int, int>(), Tasks = new Dictionary<int, ulong>() };

    public required RowList<StackRow> Rows { get; init; }

    public required IReadOnlyList<StackShape> Shapes { get; init; }

    /// <summary>The nodes of the stacks, innermost first, stack after stack.</summary>
    public required RowList<int> Nodes { get; init; }

    /// <summary>What stacks wait for, each once; without the address, which is in the row.</summary>
    public required IReadOnlyList<WaitingOn> Waits { get; init; }

    /// <summary>Names of idle loops by their number; 0 has none.</summary>
    public required IReadOnlyList<string?> Idle { get; init; }

    /// <summary>Nodes that stacks wait for in another way than an await of their innermost node: a thread has to release something.</summary>
    public required IReadOnlyDictionary<int, int> HeldBy { get; init; }

    /// <summary>Tasks of stacks whose task is not that of their last operation.</summary>
    public required IReadOnlyDictionary<int, ulong> Tasks { get; init; }

    /// <summary>The same with what stacks wait for in other words.</summary>
    public StackTable With(IReadOnlyList<WaitingOn> waits)
        => new() { Rows = Rows, Shapes = Shapes, Nodes = Nodes, Waits = waits, Idle = Idle, HeldBy = HeldBy, Tasks = Tasks };

    /// <summary>A reader sees it as a stack: not the rest of a thread's stack, and not what a thread does between two operations, all of it the framework's.</summary>
    public bool IsSeen(int stack) => (Rows[stack].Flags & StackFlags.IsPlainThread) == 0 && ShapeOf(stack).Places.Length > 0;

    public StackShape ShapeOf(int stack) => Shapes[Rows[stack].Shape];

    /// <summary>The number of nodes of a stack.</summary>
    public int NodeCount(int stack) => ShapeOf(stack).Parts.Length;

    /// <summary>A node of a stack, 0 for the innermost.</summary>
    public int NodeOf(int stack, int index) => Nodes[Rows[stack].FirstNode + index];

    /// <summary>Where the frames of a node are among those of its stack's shape; none, at the end, of a node that is not in the stack.</summary>
    public (int Start, int End) FramesOf(int stack, int node)
    {
        ImmutableArray<ShapePart> parts = ShapeOf(stack).Parts;
        int part = PartOf(stack, node, parts.Length);
        if (part < 0)
            return parts is [.., { End: var end }] ? (end, end) : (0, 0);
        return (part == 0 ? 0 : parts[part - 1].End, parts[part].End);
    }

    private int PartOf(int stack, int node, int count)
    {
        if (count > LongStack)
            return (_long is { } last && last.Stack == stack ? last : _long = NewLong(stack, count)).Parts.GetValueOrDefault(node, -1);
        for (int part = 0; part < count; part++)
        {
            if (NodeOf(stack, part) == node)
                return part;
        }
        return -1;
    }

    private LongStackParts NewLong(int stack, int count)
    {
        var parts = new Dictionary<int, int>(count);
        for (int part = 0; part < count; part++)
            parts.TryAdd(NodeOf(stack, part), part);
        return new(stack, parts);
    }

    public WaitingOn? WaitOf(int stack) => Rows[stack].Wait is >= 0 and var wait ? Waits[wait] : null;

    public string? IdleOf(int stack) => Idle[Rows[stack].Idle];
}

/// <summary>Which part of a stack each of its nodes is.</summary>
/// <param name="Stack">The stack.</param>
/// <param name="Parts">Numbers of parts by node.</param>
internal sealed record LongStackParts(int Stack, IReadOnlyDictionary<int, int> Parts);

/// <summary>How a frame of a shape is related to an object.</summary>
internal enum FrameForm : byte
{
    /// <summary>The next object of the chain of its part.</summary>
    InChain,

    /// <summary>The object of the part itself: a state machine's box, a task.</summary>
    Object,

    /// <summary>No object: the JIT removed the frame.</summary>
    NoObject,

    /// <summary>No object: the frame is on a thread.</summary>
    OnThread,

    /// <summary>No object: it stands for frames of the runtime, and is shown if those are not.</summary>
    Instead,
}

/// <summary>One node's part of a shape.</summary>
/// <param name="Skip">Number of innermost objects of its chain that have returned, or are on the thread.</param>
/// <param name="End">Position in the shape after its last frame.</param>
internal readonly record struct ShapePart(int Skip, int End);

/// <summary>The common part of stacks with the same frames: 5 bytes for each frame, whether it is shown or not.</summary>
/// <param name="Parts">The nodes' parts, innermost first.</param>
/// <param name="Places">Number of each frame's place, innermost first; includes frames of the runtime.</param>
/// <param name="Forms">Whether each frame has an object.</param>
internal sealed record StackShape(ImmutableArray<ShapePart> Parts, int[] Places, FrameForm[] Forms);
