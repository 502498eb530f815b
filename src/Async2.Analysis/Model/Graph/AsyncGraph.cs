namespace Async2.Analysis.Model.Graph;

/// <summary>
/// What waits for what, edges both ways. Nodes are numbered: first the pending operations by their position in the index,
/// then thread segments, then combinators such as WhenAll. Only a combinator waits for several nodes.
/// </summary>
internal sealed class AsyncGraph
{
    // More are never shown.
    private const int LeafLimit = 16;

    private readonly EdgeList _awaitedBy;
    private readonly int[] _awaits;
    private readonly List<int>?[] _parts;
    private readonly List<ulong>?[] _leaves;
    private readonly Dictionary<int, Hold> _holds = [];
    private readonly HashSet<int> _holders = [];
    private readonly Dictionary<(int Combinator, int Part), EdgeSource> _partSources = [];
    private readonly SortedSet<int> _anyOf = [];
    private EdgeSource[]? _sources;

    /// <param name="operations">Pending operations.</param>
    /// <param name="segments">Segments of threads.</param>
    /// <param name="combinators">Tasks that wait for several others.</param>
    public AsyncGraph(int operations, int segments = 0, int combinators = 0)
    {
        Operations = operations;
        Count = operations + segments;
        _awaitedBy = new EdgeList(Count + combinators);
        _awaits = new int[Count + combinators];
        _parts = new List<int>?[combinators];
        _leaves = new List<ulong>?[combinators];
        Array.Fill(_awaits, -1);
    }

    /// <summary>Number of pending operations; the number of each is its position in the index.</summary>
    public int Operations { get; }

    /// <summary>Number of nodes that may have frames: operations and segments.</summary>
    public int Count { get; }

    /// <summary>Number of all nodes.</summary>
    public int Size => _awaits.Length;

    /// <summary>An operation that a thread executes waits for nothing: it continues when the thread's frames return.</summary>
    public bool RunsOn(int node) => node < Operations && _awaits[node] is var segment && IsSegment(segment) && SourceOf(node) == EdgeSource.ThreadStack;

    public bool IsSegment(int node) => node >= Operations && node < Count;

    public bool IsCombinator(int node) => node >= Count;

    public int SegmentNode(int segment) => Operations + segment;

    public int CombinatorNode(int combinator) => Count + combinator;

    /// <summary>What this node waits for; -1 if it waits for none. An operation waits for one thing at a time.</summary>
    public int Awaits(int node) => _awaits[node];

    /// <summary>The nodes that wait for this one, in waiting order.</summary>
    public ArraySegment<int> AwaitedBy(int node) => _awaitedBy.Of(node);

    /// <summary>The pending operations that a combinator waits for.</summary>
    public IReadOnlyList<int> PartsOf(int combinator) => _parts[combinator - Count] ?? (IReadOnlyList<int>)[];

    /// <summary>Combinators that are done when one of their parts is, ascending: WhenAny. All others need all of theirs.</summary>
    public IReadOnlyCollection<int> AnyOf => _anyOf;

    /// <summary>One of its parts is enough.</summary>
    public bool NeedsAny(int combinator) => _anyOf.Contains(combinator);

    /// <summary>Says that one part is enough for a combinator.</summary>
    public void MarkAny(int combinator) => _anyOf.Add(combinator);

    /// <summary>Addresses of some pending tasks without frames that a combinator waits for.</summary>
    public IReadOnlyList<ulong> LeavesOf(int combinator) => _leaves[combinator - Count] ?? (IReadOnlyList<ulong>)[];

    /// <summary>Adds a task without frames to those that a combinator waits for; if there are very many, only the first are kept.</summary>
    public void AddLeaf(int combinator, ulong address)
    {
        List<ulong> leaves = _leaves[combinator - Count] ??= [];
        if (leaves.Count < LeafLimit && !leaves.Contains(address))
            leaves.Add(address);
    }

    /// <summary>Waits that end when a thread releases something, by waiter: they are not awaits, so they join no stacks unless they close a cycle.</summary>
    public IReadOnlyDictionary<int, Hold> Holds => _holds;

    /// <summary>Something waits until the thread of this segment releases it.</summary>
    public bool IsHolder(int node) => _holders.Contains(node);

    /// <summary>Records that a node waits until threads release something.</summary>
    public void AddHold(int waiter, Hold hold)
    {
        _holds[waiter] = hold;
        if (!hold.IsOwnThread)
            _holders.UnionWith(hold.Nodes);
    }

    /// <summary>A logical stack begins here: the node waits for no node that would belong to the same stack.</summary>
    public bool IsStart(int node) => _awaits[node] < 0 || IsCombinator(_awaits[node]);

    /// <summary>The operations that wait for each other in a cycle, each cycle once and in waiting order: the next waits for the previous one.</summary>
    public IEnumerable<IReadOnlyList<int>> Cycles()
    {
        // Each operation awaits at most one node, so a walk that meets itself has found a cycle, and each node is visited once.
        var walkOf = new int[Size];
        for (int start = 0; start < Count; start++)
        {
            int node = start;
            for (; node >= 0 && walkOf[node] == 0; node = _awaits[node])
                walkOf[node] = start + 1;
            if (node >= 0 && walkOf[node] == start + 1)
                yield return CycleOf(node);
        }
    }

    private List<int> CycleOf(int member)
    {
        var cycle = new List<int> { member };
        for (int node = _awaits[member]; node != member; node = _awaits[node])
            cycle.Add(node);
        cycle.Reverse();
        return cycle;
    }

    /// <summary>Adds an edge once; a second awaited node of the same waiter is rejected, because only one can be right.</summary>
    public bool Add(int waiter, int awaited, EdgeSource source = EdgeSource.ContinuationObject)
    {
        if (IsCombinator(waiter))
            return AddPart(waiter, awaited, source);
        if (_awaits[waiter] >= 0)
            return _awaits[waiter] == awaited;
        _awaits[waiter] = awaited;
        Note(waiter, source);
        // A node that waits for itself is not a waiter of another.
        if (waiter != awaited)
            _awaitedBy.Add(waiter, awaited);
        return true;
    }

    /// <summary>How it is known what a node other than a combinator awaits.</summary>
    public EdgeSource SourceOf(int waiter) => _sources?[waiter] ?? EdgeSource.ContinuationObject;

    /// <summary>How it is known that a node is one of a combinator's.</summary>
    public EdgeSource SourceOf(int combinator, int part) => _partSources.GetValueOrDefault((combinator, part));

    /// <summary>Says how it is known what a node awaits.</summary>
    public void Note(int waiter, EdgeSource source)
    {
        // Nearly all are named by what they await, and a million nodes need no byte each for that.
        if (source != EdgeSource.ContinuationObject)
            (_sources ??= new EdgeSource[Size])[waiter] = source;
    }

    /// <summary>Says how it is known that a node is one of a combinator's.</summary>
    public void Note(int combinator, int part, EdgeSource source)
    {
        if (source != EdgeSource.ContinuationObject)
            _partSources[(combinator, part)] = source;
    }

    /// <summary>Parts that do not name the combinator themselves, with their sources.</summary>
    public IReadOnlyDictionary<(int Combinator, int Part), EdgeSource> PartSources => _partSources;

    private bool AddPart(int combinator, int part, EdgeSource source)
    {
        Note(combinator, part, source);
        List<int> parts = _parts[combinator - Count] ??= [];
        // WhenAll(x, x) registers twice in a row.
        if (parts.Count > 0 && parts[^1] == part)
            return true;
        parts.Add(part);
        _awaitedBy.Add(combinator, part);
        return true;
    }
}
