using Async2.Analysis.Awaiters;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Graph;

/// <summary>
/// Joins operations both ways: from a task to its waiters, and from an operation to what it awaits. Operations that a thread
/// executes come first: on the heap, a running operation still shows its last await.
/// </summary>
internal sealed class GraphBuilder(HeapIndex index, IReadOnlyList<ThreadSegment> segments, Func<ulong, List<ulong>, bool> readAwaiters, ProblemLog problems)
{
    private const int NearBy = 4;

    private readonly AsyncGraph _graph = new(index.Nodes.Length, segments.Count, index.Combinators.Length);
    private readonly Dictionary<ulong, int> _segmentOfTask = [];
    private readonly ILookup<ulong, int> _blockedOn = Enumerable.Range(0, segments.Count)
        .Where(i => segments[i].BlockedOn != 0).ToLookup(i => segments[i].BlockedOn);
    private readonly List<ulong> _waiting = [];
    private readonly HashSet<int> _behindPromises = [];
    private (ulong Address, int Node) _lastAwaited;
    private int _lastWaiter;

    /// <summary>Operations that await a promise which waits for another operation in their place.</summary>
    public IReadOnlySet<int> BehindPromises => _behindPromises;

    /// <summary>Told which continuation objects will be read soon.</summary>
    public Action<ulong, ulong>? Announce { get; init; }

    /// <param name="awaitedAddress">Address of what an operation waits for, by its position; 0 when unknown.</param>
    public AsyncGraph Build(Func<int, ulong> awaitedAddress)
    {
        AddSegments();
        for (int i = 0; i < index.Nodes.Length; i++)
        {
            if (i + AwaiterReader.Later < index.Nodes.Length)
                Announce?.Invoke(index.Nodes[i + AwaiterReader.Later].Awaiter, index.Nodes[i + AwaiterReader.Soon].Awaiter);
            JoinBlocked(index.Nodes[i].Address, i);
            Join(index.Nodes[i].Awaiter, i);
        }
        for (int i = 0; i < index.Combinators.Length; i++)
        {
            JoinBlocked(index.Combinators[i].Address, _graph.CombinatorNode(i));
            Join(index.Combinators[i].Awaiter, _graph.CombinatorNode(i));
            if (!index.Combinators[i].NeedsAll)
                _graph.MarkAny(_graph.CombinatorNode(i));
        }
        for (int i = 0; i < segments.Count; i++)
        {
            if (segments[i].Task != 0)
            {
                JoinBlocked(segments[i].Task, _graph.SegmentNode(i));
                Join(segments[i].Awaiter, _graph.SegmentNode(i));
            }
        }
        JoinBodies();
        JoinForward(awaitedAddress);
        JoinLeaves();
        return _graph;
    }

    private void AddSegments()
    {
        for (int i = 0; i < segments.Count; i++)
        {
            if (index.FindNode(segments[i].RunsIn) is >= 0 and var operation)
                _graph.Add(operation, _graph.SegmentNode(i), EdgeSource.ThreadStack);
            if (segments[i].Task != 0)
                _segmentOfTask[segments[i].Task] = _graph.SegmentNode(i);
        }
    }

    private void JoinBlocked(ulong task, int awaited)
    {
        if (_blockedOn.Count == 0)
            return;
        foreach (int segment in _blockedOn[task])
            _graph.Add(_graph.SegmentNode(segment), awaited, EdgeSource.ThreadStack);
    }

    private void Join(ulong awaiter, int awaited)
    {
        if (awaiter == 0)
            return;
        _waiting.Clear();
        readAwaiters(awaiter, _waiting);
        bool passesPromise = false;
        foreach (ulong address in _waiting)
        {
            int waiter = FindWaiter(address);
            // A promise in between. A thread that blocks for the promise waits for the operation behind it.
            if (waiter < 0)
            {
                JoinBlocked(address, awaited);
                passesPromise = true;
                continue;
            }
            if (passesPromise)
                _behindPromises.Add(waiter);
            if (!_graph.Add(waiter, awaited) && !_graph.IsSegment(_graph.Awaits(waiter)))
                problems.Add(ProblemCodes.UnexpectedObject, "an operation is registered as waiter of two tasks; the first is shown", address);
        }
    }

    private void JoinBodies()
    {
        foreach ((ulong operation, ulong promise, _) in index.Bodies)
        {
            if (index.FindNode(operation) is >= 0 and var body && index.FindCombinator(promise) is >= 0 and var combinator)
                _graph.Add(_graph.CombinatorNode(combinator), body, EdgeSource.Field);
        }
    }

    private void JoinForward(Func<int, ulong> awaitedAddress)
    {
        for (int waiter = 0; waiter < index.Nodes.Length; waiter++)
        {
            if (_graph.Awaits(waiter) < 0 && awaitedAddress(waiter) is not 0 and var address && FindAwaited(address) is >= 0 and var awaited)
                _graph.Add(waiter, awaited, EdgeSource.SavedAwaiter);
        }
    }

    // A combinator has no references to the tasks that it waits for.
    private void JoinLeaves()
    {
        // A million may wait for one gate.
        if (index.Combinators.Length == 0)
            return;
        foreach (ref readonly PromiseRow promise in index.Promises)
        {
            _waiting.Clear();
            readAwaiters(promise.Awaiter, _waiting);
            foreach (ulong address in _waiting)
            {
                if (index.FindCombinator(address) is >= 0 and var combinator && index.Combinators[combinator].NeedsAll)
                    _graph.AddLeaf(_graph.CombinatorNode(combinator), promise.Address);
            }
        }
    }

    private int FindWaiter(ulong address) => FindNode(address) is >= 0 and var operation ? operation
        : index.FindCombinator(address) is >= 0 and var combinator ? _graph.CombinatorNode(combinator) : -1;

    // Who waits for each other was mostly created one after the other, so the next waiter is near the last one.
    private int FindNode(ulong address)
    {
        for (int guess = _lastWaiter; guess < _lastWaiter + NearBy && guess < index.Nodes.Length; guess++)
        {
            if (index.Nodes[guess].Address == address)
                return _lastWaiter = guess;
        }
        int found = index.FindNode(address);
        if (found >= 0)
            _lastWaiter = found;
        return found;
    }

    // Thousands may wait for one gate, one after the other.
    private int FindAwaited(ulong address)
    {
        if (_lastAwaited.Address != address)
            _lastAwaited = (address, FindWaiter(address) is >= 0 and var node ? node : _segmentOfTask.GetValueOrDefault(address, -1));
        return _lastAwaited.Node;
    }
}
