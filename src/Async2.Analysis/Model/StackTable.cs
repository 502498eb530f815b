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

/// <summary>A stack as a row of 32 bytes.</summary>
/// <param name="WaitAddress">Address of what it waits for; 0 when not known.</param>
/// <param name="Shape">Number of its shape.</param>
/// <param name="FirstNode">Where its nodes begin in the column of nodes; there are as many as the shape has parts.</param>
/// <param name="Wait">Number of what it waits for; -1 for nothing.</param>
/// <param name="WaitsFor">Node that it waits for, which may be a combinator; -1 for none.</param>
/// <param name="Idle">Number of the name of the idle loop that it is; 0 for none.</param>
/// <param name="State">What it does.</param>
/// <param name="Marks">What else is true.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct StackRow(ulong WaitAddress, int Shape, int FirstNode, int Wait, int WaitsFor, short Idle, StackState State, StackMarks Marks);

/// <summary>Every logical stack of a target, equal ones too, in the order in which they were found.</summary>
internal sealed class StackTable
{
    /// <summary>None.</summary>
    public static StackTable Empty { get; } = new() { Rows = [], Shapes = [], Nodes = [], Waits = [], Idle = [null], Tasks = new Dictionary<int, ulong>() };

    public required StackRow[] Rows { get; init; }

    public required IReadOnlyList<StackShape> Shapes { get; init; }

    /// <summary>The nodes of the stacks, innermost first, stack after stack.</summary>
    public required int[] Nodes { get; init; }

    /// <summary>What stacks wait for, each once; without the address, which is in the row.</summary>
    public required IReadOnlyList<WaitingOn> Waits { get; init; }

    /// <summary>Names of idle loops by their number; 0 has none.</summary>
    public required IReadOnlyList<string?> Idle { get; init; }

    /// <summary>Tasks of stacks whose task is not that of their last operation.</summary>
    public required IReadOnlyDictionary<int, ulong> Tasks { get; init; }

    public StackShape ShapeOf(int stack) => Shapes[Rows[stack].Shape];

    /// <summary>The nodes of a stack, innermost first.</summary>
    public ReadOnlySpan<int> NodesOf(int stack) => Nodes.AsSpan(Rows[stack].FirstNode, ShapeOf(stack).Parts.Length);

    public WaitingOn? WaitOf(int stack) => Rows[stack].Wait is >= 0 and var wait ? Waits[wait] : null;

    public string? IdleOf(int stack) => Idle[Rows[stack].Idle];
}
