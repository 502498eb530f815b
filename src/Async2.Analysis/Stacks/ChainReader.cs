using System.Runtime.InteropServices;
using Async2.Analysis.Heap;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>A chain of continuations, as a row.</summary>
/// <param name="Head">Position of the innermost frame; -1 if there is none.</param>
/// <param name="Length">Frames; the links lead from one to the next.</param>
/// <param name="Shape">Number that all chains with the same frames share; -1 of a chain without frames.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct ChainRow(int Head, int Length, int Shape)
{
    private const int None = -1;
    private const int TornShape = -2;
    private const int UnreadableShape = -3;

    /// <summary>A chain without frames.</summary>
    public static ChainRow Empty { get; } = new(None, 0, None);

    /// <summary>A chain that changed while it was read: no frame of it is shown.</summary>
    public static ChainRow Torn { get; } = new(None, 0, TornShape);

    /// <summary>A chain that leads to no frame, although there must be one.</summary>
    public static ChainRow Unreadable { get; } = new(None, 0, UnreadableShape);

    public bool IsTorn => Shape == TornShape;

    public bool IsUnreadable => Shape == UnreadableShape;
}

/// <summary>
/// Walks each chain of suspended frames once, innermost first, and stops at anything that is not valid in a chain. It keeps only
/// a fingerprint of the frames: the frames of equal chains are read once.
/// </summary>
/// <param name="index">The continuations.</param>
/// <param name="table">Their frames.</param>
/// <param name="problems">Receives problems: damage.</param>
/// <param name="torn">Knows chains that changed while they were read; null if no chain can have changed.</param>
internal sealed class ChainReader(HeapIndex index, FrameTable table, ProblemLog problems, TornChains? torn = null)
{
    private const int CutMark = -1;

    private readonly FrameColumns _continuations = index.Frames;
    private readonly ChainRow[] _chains = new ChainRow[index.Nodes.Length];
    private readonly Dictionary<StackFingerprint, int> _shapes = [];

    // The operation that a continuation belongs to, from 1. Without it, every task of a damaged heap could read the frames of all others.
    private readonly int[] _owner = new int[index.Frames.Count];
    private readonly List<ulong> _frames = [];
    private readonly HashSet<int> _cut = [];
    private readonly bool _hasEnds = index.Layout.Continuation is { Shape: ContinuationShape.Arrays };
    private Problem? _damage;
    private int _lastHead;

    /// <summary>The chain of an operation that has one.</summary>
    public ChainRow Of(int node)
    {
        ref ChainRow chain = ref _chains[node];
        if (chain == default)
            chain = Read(node);
        return chain;
    }

    /// <summary>Position of the innermost frame of an operation's chain; -1 if it has none, or if its chain was not read yet.</summary>
    public int KnownHeadOf(int node) => _chains[node] == default ? -1 : _chains[node].Head;

    /// <summary>
    /// Position of the innermost frame of an operation that is suspended; -1 if there is none. In a chain that a thread executes, methods that run or
    /// have returned are on the thread.
    /// </summary>
    public int FirstSuspendedOf(int node, AsyncGraph graph, IReadOnlyList<ThreadSegment> segments)
    {
        if (!index.Nodes[node].IsChain)
            return -1;
        if (!graph.RunsOn(node))
            return KnownHeadOf(node);
        ThreadSegment segment = segments[graph.Awaits(node) - graph.Operations];
        int running = Find(segment.Continuation);
        return running < 0 || segment.HasLeftChain ? running : _continuations.Next(running);
    }

    /// <summary>Whether the chain of an operation, which was read before, continues where it cannot be read.</summary>
    public bool IsCut(int node) => _cut.Contains(node);

    /// <summary>Position of the innermost frame of a chain; -1 if there is none.</summary>
    public int HeadOf(in NodeRow row) => Find(row.Body) is >= 0 and var head && !_continuations.IsFinal(head) ? head : -1;

    private ChainRow Read(int node)
    {
        _damage = null;
        _frames.Clear();
        ChainRow chain = Walk(node);
        if (torn?.IsWhole(index.Nodes[node], CollectionsMarshal.AsSpan(_frames), reachesEnd: _damage is null) == false)
            return ChainRow.Torn;
        if (_damage is not null)
        {
            problems.AddPartial(_damage);
            _cut.Add(node);
        }
        return chain;
    }

    private ChainRow Walk(int node)
    {
        ref readonly NodeRow row = ref index.Nodes[node];
        bool hasEnd = _hasEnds && row.Kind == NodeKind.Chain;
        int head = Find(row.Body);
        if (head < 0 || _continuations.IsBlank(head))
            return WithoutFrames(row, hasEnd);
        var signature = new StackSignature();
        int length = 0, current = head;
        for (; current >= 0 && !_continuations.IsFinal(current) && Take(current, node); current = Next(current))
        {
            if (torn is not null)
                _frames.Add(_continuations.AddressOf(current));
            signature.Add(table.IdOf(current));
            length++;
        }
        if (hasEnd && _damage is null && (current < 0 || _continuations.IsBlank(current)))
            _damage = new(ProblemCodes.ImpossibleState, "a chain of continuations ends without the one that holds its result: frames may be missing", index.Nodes[node].Address);
        // The last frame before a cut is not the outermost frame, so the two get different fingerprints.
        if (_damage is not null)
            signature.Add(CutMark);
        return length == 0 ? _damage is null ? ChainRow.Empty : ChainRow.Unreadable : new(head, length, ShapeOf(signature));
    }

    // A task of .NET 10 has a chain from its creation.
    private ChainRow WithoutFrames(in NodeRow row, bool hasEnd)
    {
        if (row.Body == 0 && !hasEnd)
            return ChainRow.Empty;
        _damage = new(ProblemCodes.UnexpectedObject, "a task's chain begins with something that is not a continuation", row.Body == 0 ? row.Address : row.Body);
        return ChainRow.Unreadable;
    }

    private bool Take(int continuation, int node)
    {
        ref int owner = ref _owner[continuation];
        if (owner == 0)
        {
            owner = node + 1;
            return true;
        }
        _damage = owner == node + 1
            ? new(ProblemCodes.CyclicChain, "a chain of continuations is a cycle; each frame is shown once", _continuations.AddressOf(continuation))
            : new(ProblemCodes.UnexpectedObject, "two tasks lead to one continuation; it is shown with the first", _continuations.AddressOf(continuation));
        return false;
    }

    private int Next(int continuation)
    {
        int next = _continuations.Next(continuation);
        if (next == FrameColumns.Lost)
            _damage = new(ProblemCodes.UnreadableMemory, "a chain leads to a continuation that is not on the heap", _continuations.LostNext(continuation));
        return next;
    }

    private int ShapeOf(StackSignature signature)
    {
        ref int shape = ref CollectionsMarshal.GetValueRefOrAddDefault(_shapes, signature.Value, out bool known);
        return known ? shape : shape = _shapes.Count;
    }

    // The heads of tasks that were created one after the other are neighbours on the heap.
    private int Find(ulong address)
    {
        if (address == 0)
            return -1;
        for (int guess = _lastHead; guess < _lastHead + 4 && guess < _continuations.Count; guess++)
        {
            if (_continuations.AddressOf(guess) == address)
                return _lastHead = guess;
        }
        int found = _continuations.Find(address);
        if (found >= 0)
            _lastHead = found;
        return found;
    }
}
