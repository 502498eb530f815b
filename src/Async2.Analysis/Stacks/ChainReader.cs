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
    private const int NearBy = 4;

    private readonly FrameColumns _continuations = index.Frames;
    private readonly ChainRow[] _chains = new ChainRow[index.Nodes.Length];
    private readonly Dictionary<StackFingerprint, int> _shapes = [];

    // Those that some operation has. Without it, every task of a damaged heap could read the frames of all others.
    private readonly BitRow _taken = new(index.Frames.Count);
    private readonly List<ulong> _frames = [];
    private readonly HashSet<int> _cut = [];
    private readonly bool _hasEnds = index.Layout.Continuation is { Shape: ContinuationShape.Arrays };
    private Problem? _damage;
    private int _lastHead, _stride = 1;

    // A chain that was walked: most others are the same, and lie in memory as it does.
    private Pattern _pattern;

    /// <summary>The chain of an operation that has one.</summary>
    public ChainRow Of(int node)
    {
        ref ChainRow chain = ref _chains[node];
        if (chain == default)
            chain = Read(node);
        return chain;
    }

    /// <summary>The chain of an operation; one with no shape (0) and no frames if it was not read yet.</summary>
    public ChainRow KnownOf(int node) => _chains[node];

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
        if (_pattern.Length > 0 && TakeLike(_pattern, head))
            return new(head, _pattern.Length, _pattern.Shape);
        int length = 0, current = head, first = head, last = head;
        for (; current >= 0 && !_continuations.IsFinal(current) && Take(current, head, length); current = Next(current))
        {
            if (torn is not null)
                _frames.Add(_continuations.AddressOf(current));
            signature.Add(table.IdOf(current));
            (first, last) = (Math.Min(first, current), Math.Max(last, current));
            length++;
        }
        if (hasEnd && _damage is null && (current < 0 || _continuations.IsBlank(current)))
            _damage = new(ProblemCodes.ImpossibleState, "a chain of continuations ends without the one that holds its result: frames may be missing", index.Nodes[node].Address);
        // The last frame before a cut is not the outermost frame, so the two get different fingerprints.
        if (_damage is not null)
            signature.Add(CutMark);
        if (length == 0)
            return _damage is null ? ChainRow.Empty : ChainRow.Unreadable;
        var chain = new ChainRow(head, length, ShapeOf(signature));
        if (_damage is null && current >= 0 && last - first == length - 1)
            Remember(chain, first, current);
        return chain;
    }

    // Only what says all of a chain by its places, and lies without anything in between.
    private void Remember(ChainRow chain, int first, int end)
    {
        if (torn is not null || _continuations.IsBlank(end))
            return;
        for (int i = first; i < first + chain.Length; i++)
        {
            if (!table.IsFixed(i))
                return;
        }
        _pattern = new(chain.Head, first, chain.Length, end, chain.Shape);
    }

    // The same places, the same links between them, and nobody has any of them: the same chain, without a look at each frame.
    private bool TakeLike(in Pattern known, int head)
    {
        int distance = head - known.Head, first = known.First + distance;
        if (!_continuations.AreAlike(known.First, first, known.Length) || !_continuations.AreAtOnePlace(known.End, known.End + distance) || !_taken.IsClear(first, known.Length))
            return false;
        _taken.Set(first, known.Length);
        return true;
    }

    // A task of .NET 10 has a chain from its creation.
    private ChainRow WithoutFrames(in NodeRow row, bool hasEnd)
    {
        if (row.Body == 0 && !hasEnd)
            return ChainRow.Empty;
        _damage = new(ProblemCodes.UnexpectedObject, "a task's chain begins with something that is not a continuation", row.Body == 0 ? row.Address : row.Body);
        return ChainRow.Unreadable;
    }

    private bool Take(int continuation, int head, int length)
    {
        if (_taken.Set(continuation))
            return true;
        _damage = IsIn(head, length, continuation)
            ? new(ProblemCodes.CyclicChain, "a chain of continuations is a cycle; each frame is shown once", _continuations.AddressOf(continuation))
            : new(ProblemCodes.UnexpectedObject, "two tasks lead to one continuation; it is shown with the first", _continuations.AddressOf(continuation));
        return false;
    }

    private bool IsIn(int head, int length, int continuation)
    {
        int current = head;
        for (int i = 0; i < length; i++, current = _continuations.Next(current))
        {
            if (current == continuation)
                return true;
        }
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

    // The heads of tasks that were created one after the other are neighbours on the heap, or as far from each other as the two before.
    private int Find(ulong address)
    {
        if (address == 0)
            return -1;
        if (_continuations.IsAt(_lastHead, address))
            return _lastHead;
        int found = _continuations.IsAt(_lastHead + _stride, address) ? _lastHead + _stride : FindFarther(address);
        if (found >= 0)
            (_stride, _lastHead) = (found - _lastHead, found);
        return found;
    }

    private int FindFarther(ulong address)
    {
        for (int guess = _lastHead + 1; guess <= _lastHead + NearBy; guess++)
        {
            if (_continuations.IsAt(guess, address))
                return guess;
        }
        return _continuations.Find(address);
    }

    /// <summary>A chain, and how it lies in memory.</summary>
    /// <param name="Head">Position of its innermost frame.</param>
    /// <param name="First">The first of the positions that it has.</param>
    /// <param name="Length">How many it has, one after the other.</param>
    /// <param name="End">Where it leads to.</param>
    /// <param name="Shape">Its shape.</param>
    private readonly record struct Pattern(int Head, int First, int Length, int End, int Shape);
}
