using System.Runtime.InteropServices;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Model;

/// <summary>
/// What was read of threads, timers and contexts besides what stacks and reasons say. All of it is sparse: a stack that waits for a task
/// adds nothing. Edges are made of it when somebody asks for some.
/// </summary>
internal sealed record GraphFacts
{
    /// <summary>Nothing.</summary>
    public static GraphFacts None { get; } = new();

    /// <summary>Why threads block that wait for no operation, by the node of their innermost segment.</summary>
    public IReadOnlyDictionary<int, WaitReason> Blocked { get; init; } = new Dictionary<int, WaitReason>();

    /// <summary>Timers that end a wait, by the awaited object: a delay's, a timeout's. In order.</summary>
    public IReadOnlyList<TimerRow> Timers { get; init; } = [];

    /// <summary>What awaited objects stand for, where that is not a resource: the task behind a timeout. In order.</summary>
    public IReadOnlyList<EndRow> Ends { get; init; } = [];

    /// <summary>Timers that end a wait for another operation.</summary>
    public IReadOnlyList<LimitRow> Limits { get; init; } = [];

    /// <summary>Contexts and schedulers on which something goes on, and the thread pool.</summary>
    public IReadOnlyList<ContextRow> Contexts { get; init; } = [];

    /// <summary>Where operations go on.</summary>
    public IReadOnlyList<ResumptionRow> Resumptions { get; init; } = [];

    /// <summary>Parts of the heap with their generation, by address.</summary>
    public IReadOnlyList<GenerationRange> Generations { get; init; } = [];
}

/// <summary>A timer that completes an awaited object.</summary>
/// <param name="Awaited">Address of the object.</param>
/// <param name="Timer">Address of the <c>TimerQueueTimer</c>.</param>
internal readonly record struct TimerRow(ulong Awaited, ulong Timer);

/// <summary>What an awaited object stands for.</summary>
/// <param name="Awaited">Address of the object.</param>
/// <param name="End">Address of what it completes with.</param>
internal readonly record struct EndRow(ulong Awaited, ulong End);

/// <summary>A timer that ends a node's wait for another operation.</summary>
/// <param name="Node">Number of the node.</param>
/// <param name="Timer">Address of the <c>TimerQueueTimer</c>.</param>
internal readonly record struct LimitRow(int Node, ulong Timer);

/// <summary>A context, a scheduler or the pool.</summary>
/// <param name="Address">Its address; 0 for the thread pool.</param>
/// <param name="Name">What it is, <c>SynchronizationContext UiContext</c>; null for the thread pool.</param>
/// <param name="Threads">Managed ids of the threads that serve it.</param>
/// <param name="IsInferred">That they do is not noted in one place.</param>
internal sealed record ContextRow(ulong Address, string? Name, IReadOnlyList<int> Threads, bool IsInferred);

/// <summary>An operation that goes on in a context, or on a thread.</summary>
/// <param name="Node">Number of the operation.</param>
/// <param name="Context">Number of the context; -1 for a thread.</param>
/// <param name="Thread">Managed id of the thread.</param>
/// <param name="Source">How it is known.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct ResumptionRow(int Node, int Context, int Thread, EdgeSource Source);

/// <summary>A part of the heap whose objects have survived as many collections.</summary>
/// <param name="Start">Address of its first byte.</param>
/// <param name="End">Address behind its last.</param>
/// <param name="Generation">0, 1 or 2; objects of the large and pinned heaps are in 2.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct GenerationRange(ulong Start, ulong End, byte Generation);
