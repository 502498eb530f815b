using System.Collections.Immutable;
using System.Runtime.InteropServices;

namespace Async2.Analysis.Model;

/// <summary>What else is true of a stack.</summary>
[Flags]
internal enum StackMarks : byte
{
    None = 0,

    /// <summary>The node that it waits for does not complete what is waited for: its thread has to let go of it.</summary>
    IsHeld = 1,

    /// <summary>A thread that has to do with no async operation: shown when somebody asks for the thread.</summary>
    IsPlainThread = 2,

    /// <summary>Tasks without an async method; what they wait for is said in full.</summary>
    IsTask = 4,

    /// <summary>Its task is the last of its nodes that is an operation.</summary>
    IsTaskLast = 8,
}

/// <summary>A stack as a row of 24 bytes.</summary>
/// <param name="WaitAddress">Address of what it waits for; 0 when not known.</param>
/// <param name="Shape">Number of its shape.</param>
/// <param name="FirstNode">Where its nodes begin in the column of nodes; there are as many as the shape has parts.</param>
/// <param name="Wait">Number of what it waits for; -1 for nothing.</param>
/// <param name="Idle">Number of the name of the idle loop that it is; 0 for none.</param>
/// <param name="State">What it does.</param>
/// <param name="Marks">What else is true.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct StackRow(ulong WaitAddress, int Shape, int FirstNode, int Wait, short Idle, StackState State, StackMarks Marks);

/// <summary>Every logical stack of a target, equal ones too, in the order in which they were found.</summary>
internal sealed class StackTable
{
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

    /// <summary>Nodes that stacks wait for by something else than an await of their innermost node: a thread has to let go.</summary>
    public required IReadOnlyDictionary<int, int> HeldBy { get; init; }

    /// <summary>Tasks of stacks whose task is not that of their last operation.</summary>
    public required IReadOnlyDictionary<int, ulong> Tasks { get; init; }

    public StackShape ShapeOf(int stack) => Shapes[Rows[stack].Shape];

    /// <summary>How many nodes a stack has.</summary>
    public int NodeCount(int stack) => ShapeOf(stack).Parts.Length;

    /// <summary>A node of a stack, 0 for the innermost.</summary>
    public int NodeOf(int stack, int index) => Nodes[Rows[stack].FirstNode + index];

    public WaitingOn? WaitOf(int stack) => Rows[stack].Wait is >= 0 and var wait ? Waits[wait] : null;

    public string? IdleOf(int stack) => Idle[Rows[stack].Idle];
}

/// <summary>How a frame of a shape is tied to an object.</summary>
internal enum FrameForm : byte
{
    /// <summary>The next object of the chain of its part.</summary>
    InChain,

    /// <summary>The object of the part itself: a state machine's box, a task.</summary>
    Object,

    /// <summary>No object: the JIT left the frame out.</summary>
    NoObject,

    /// <summary>No object: the frame is on a thread.</summary>
    OnThread,

    /// <summary>No object: it stands for frames of the runtime, and is shown where those are not.</summary>
    Instead,
}

/// <summary>One node's share of a shape.</summary>
/// <param name="Skip">So many of the innermost objects of its chain have returned, or are on the thread.</param>
/// <param name="End">Position in the shape behind its last frame.</param>
internal readonly record struct ShapePart(int Skip, int End);

/// <summary>What stacks with the same frames have in common: 5 bytes for each frame, whatever is shown of it later.</summary>
/// <param name="Parts">The nodes' shares, innermost first.</param>
/// <param name="Places">Number of each frame's place, innermost first; frames of the runtime are among them.</param>
/// <param name="Forms">Whether each frame has an object.</param>
internal sealed record StackShape(ImmutableArray<ShapePart> Parts, int[] Places, FrameForm[] Forms);
