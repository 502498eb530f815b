using System.Runtime.InteropServices;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Model;

/// <summary>
/// The graph of a model. Nodes are numbers from 0: operations, segments of threads, combinators, plain tasks, then resources, contexts
/// and threads. Each edge says how it is known; where memory does not tell, there is none. Immutable. What is not on awaits is put
/// together when somebody first asks, and then kept: one array of 12 bytes an edge.
/// </summary>
public sealed class ModelGraph
{
    private readonly ModelColumns _columns;
    private readonly Lazy<GraphLinks> _links;
    private readonly Lazy<int[]> _stacks;
    private readonly Lazy<Dictionary<int, int>> _innermost;

    internal ModelGraph(ModelColumns columns)
    {
        _columns = columns;
        _links = new(() => new GraphLinks(columns));
        _stacks = new(StackNumbers);
        _innermost = new(InnermostSegments);
    }

    /// <summary>How many nodes there are.</summary>
    public int Count => FirstThread + Links.Threads.Length;

    /// <summary>What is known of a node.</summary>
    /// <param name="node">Its number, below <see cref="Count"/>.</param>
    public GraphNode this[int node] => node < FirstResource ? Operation(node)
        : node < FirstContext ? Resource(node)
        : node < FirstThread ? Context(node)
        : new GraphNode(node, AsyncNodeKind.Thread) { Thread = Links.Threads[node - FirstThread], State = StateOfThread(Links.Threads[node - FirstThread]) };

    /// <summary>What a node is; costs less than all that is known of it.</summary>
    internal AsyncNodeKind KindOf(int node) => node < FirstResource ? Nodes.Kinds[node]
        : node < FirstContext ? AsyncNodeKind.Resource
        : node < FirstThread ? AsyncNodeKind.Context
        : AsyncNodeKind.Thread;

    /// <summary>The segment with the innermost frames of a thread, by its managed id: with these it acts. -1 if it has none.</summary>
    internal int InnermostOf(int thread) => _innermost.Value.GetValueOrDefault(thread, -1);

    /// <summary>Of a thread its innermost segment; any other node itself.</summary>
    internal int ActingFor(int node)
        => KindOf(node) == AsyncNodeKind.Thread && InnermostOf(Links.Threads[node - FirstThread]) is >= 0 and var segment ? segment : node;

    /// <summary>Numbers of the stacks that wait directly for a node, ascending.</summary>
    internal int[] StacksWaitingFor(int node)
        => [.. EdgesTo(node).Where(edge => edge.Kind is EdgeKind.Awaits or EdgeKind.BlockedOn).Select(edge => StackOf(edge.From)).Where(stack => stack >= 0).Distinct().Order()];

    private GraphLinks Links => _links.Value;

    private NodeTable Nodes => _columns.Nodes;

    private AsyncGraph Awaits => _columns.Awaits;

    private int FirstResource => Nodes.Count;

    private int FirstContext => FirstResource + Links.Resources.Length;

    private int FirstThread => FirstContext + _columns.Facts.Contexts.Count;

    /// <summary>Number of the node at an address: an operation's task or box, a combinator, a resource, a context; -1 if there is none.</summary>
    public int Find(ulong address)
    {
        if (address == 0)
            return -1;
        if (Links.FindNode(address) is >= 0 and var node)
            return node;
        if (Array.BinarySearch(Links.Resources, address) is >= 0 and var resource)
            return FirstResource + resource;
        for (int i = 0; i < _columns.Facts.Contexts.Count; i++)
        {
            if (_columns.Facts.Contexts[i].Address == address)
                return FirstContext + i;
        }
        return Array.IndexOf(Nodes.Addresses, address, Awaits.Size);
    }

    /// <summary>Number of the node of a thread, by its managed id; -1 if there is none.</summary>
    public int FindThread(int thread) => Array.BinarySearch(Links.Threads, thread) is >= 0 and var found ? FirstThread + found : -1;

    /// <summary>Number of the logical stack that a node is part of; -1 for none.</summary>
    public int StackOf(int node) => node < _stacks.Value.Length ? _stacks.Value[node] - 1 : -1;

    /// <summary>The edges that come from a node, in a fixed order.</summary>
    public IReadOnlyList<Edge> EdgesFrom(int node)
    {
        var edges = new List<Edge>();
        AddFrom(node, edges);
        return edges;
    }

    /// <summary>The edges that lead to a node, in a fixed order; those that await it in waiting order.</summary>
    public IReadOnlyList<Edge> EdgesTo(int node)
    {
        var edges = new List<Edge>();
        if (node < Awaits.Size)
        {
            foreach (int waiter in Awaits.AwaitedBy(node))
            {
                if (!Awaits.IsCombinator(waiter) && !IsHeld(waiter, node))
                    edges.Add(AwaitOf(waiter, node));
            }
            if (!Awaits.IsCombinator(node) && Awaits.Awaits(node) == node)
                edges.Add(AwaitOf(node, node));
            if (Awaits.IsCombinator(node))
                edges.AddRange(Awaits.PartsOf(node).Select(part => new Edge(part, node, EdgeKind.PartOf, Awaits.SourceOf(node, part))));
        }
        Links.Edges.AddTo(node, edges);
        return edges;
    }

    internal void AddFrom(int node, List<Edge> edges)
    {
        if (node < Awaits.Size)
        {
            if (!Awaits.IsCombinator(node) && Awaits.Awaits(node) is >= 0 and var awaited && !IsHeld(node, awaited))
                edges.Add(AwaitOf(node, awaited));
            foreach (int waiter in Awaits.AwaitedBy(node))
            {
                if (Awaits.IsCombinator(waiter))
                    edges.Add(new(node, waiter, EdgeKind.PartOf, Awaits.SourceOf(waiter, node)));
            }
        }
        Links.Edges.AddFrom(node, edges);
    }

    /// <summary>Number of the node of the thread pool; -1 when nothing is queued to it.</summary>
    internal int FindPool()
    {
        for (int i = 0; i < _columns.Facts.Contexts.Count; i++)
        {
            if (_columns.Facts.Contexts[i].Address == 0)
                return FirstContext + i;
        }
        return -1;
    }

    /// <summary>All edges that are no awaits.</summary>
    internal IReadOnlyList<Edge> LinkEdges => Links.Edges.All;

    /// <summary>Numbers of the resources of which it is known who holds them, ascending.</summary>
    internal IEnumerable<int> Held() => Links.Edges.From(EdgeKind.HeldBy);

    /// <summary>Numbers of the contexts and schedulers, ascending; the thread pool is not among them.</summary>
    internal IEnumerable<int> Contexts() => Enumerable.Range(FirstContext, _columns.Facts.Contexts.Count).Where(node => _columns.Facts.Contexts[node - FirstContext].Address != 0);

    /// <summary>All threads that serve a context have to come back before it goes on; otherwise one is enough.</summary>
    internal bool NeedsAllThreads(int context) => _columns.Facts.Contexts[context - FirstContext].NeedsAll;

    /// <summary>How many nodes wait for a resource, go on in a context, or await a combinator.</summary>
    internal int WaitersOf(int node) => node < Awaits.Size ? Awaits.AwaitedBy(node).Count : Links.Edges.CountTo(node);

    /// <summary>So many others go on only when this node does, at most: those that await it, all edges that lead to it, and the thread whose innermost frames it has.</summary>
    internal int NeededByAtMost(int node) => (node < Awaits.Size ? Awaits.AwaitedBy(node).Count : 0) + Links.Edges.CountTo(node) + 1;

    /// <summary>What is known of a resource's state, from one of those who wait for it; null if it says nothing.</summary>
    internal WaitReason? ReasonOf(int node) => node >= FirstResource && node < FirstContext ? Links.ReasonOf(node - FirstResource) : null;

    // It waits for a thread to let go, which is said by what it is blocked on.
    private bool IsHeld(int waiter, int awaited) => Awaits.SourceOf(waiter) == EdgeSource.Inferred || (Awaits.Holds.TryGetValue(waiter, out Hold? hold) && hold.Nodes.Contains(awaited));

    private Edge AwaitOf(int waiter, int awaited)
        => new(waiter, awaited, Awaits.RunsOn(waiter) ? EdgeKind.RunsOn : Awaits.IsSegment(waiter) ? EdgeKind.BlockedOn : EdgeKind.Awaits, Awaits.SourceOf(waiter));

    private GraphNode Operation(int node)
    {
        bool isCombinator = node < Awaits.Size && Awaits.IsCombinator(node);
        return new GraphNode(node, Nodes.Kinds[node])
        {
            Address = Nodes.Addresses[node],
            Thread = Nodes.ThreadOf(node),
            State = isCombinator ? StackState.Awaiting : StateOf(node),
            Generation = GenerationOf(Nodes.Addresses[node]),
        };
    }

    // Only the innermost of a stack does what the stack does; the others await it.
    private StackState? StateOf(int node)
    {
        if (StackOf(node) is not (>= 0 and var stack))
            return null;
        StackRow row = _columns.Stacks.Rows[stack];
        return row.State is StackState.Deadlocked or StackState.Completed || _columns.Stacks.Nodes[row.FirstNode] == node ? row.State
            : Awaits.Size > node && Awaits.RunsOn(node) ? row.State
            : StackState.Awaiting;
    }

    private StackState? StateOfThread(int thread)
    {
        int innermost = InnermostOf(thread);
        return innermost < 0 ? null
            : _columns.Facts.Blocked.ContainsKey(innermost) || Awaits.Awaits(innermost) >= 0 ? StackState.Blocked
            : StateOf(innermost);
    }

    private GraphNode Resource(int node)
    {
        ulong address = Links.Resources[node - FirstResource];
        WaitResource? known = _columns.Resources.GetValueOrDefault(address);
        return new GraphNode(node, AsyncNodeKind.Resource)
        {
            Address = address,
            ResourceKind = Links.KindOf(node - FirstResource),
            Name = known?.Name,
            Type = known?.Type ?? Links.TypeOf(node - FirstResource),
            Generation = GenerationOf(address),
        };
    }

    private GraphNode Context(int node)
    {
        ContextRow context = _columns.Facts.Contexts[node - FirstContext];
        return new GraphNode(node, AsyncNodeKind.Context) { Address = context.Address, Name = context.Name, Generation = GenerationOf(context.Address) };
    }

    /// <summary>Generation of the object at an address; null where that is not known.</summary>
    internal int? GenerationOf(ulong address) => RangeOf(address)?.Generation;

    /// <summary>The part of the heap in which an object lies; null where that is not known.</summary>
    // A big heap has thousands of parts, and this is asked of every node.
    internal GenerationRange? RangeOf(ulong address)
    {
        IReadOnlyList<GenerationRange> ranges = _columns.Facts.Generations;
        int low = 0, high = ranges.Count;
        while (low < high)
        {
            int middle = low + ((high - low) / 2);
            if (ranges[middle].End <= address)
                low = middle + 1;
            else
                high = middle;
        }
        return low < ranges.Count && address >= ranges[low].Start ? ranges[low] : null;
    }

    // The innermost frames of a thread come first.
    private Dictionary<int, int> InnermostSegments()
    {
        var innermost = new Dictionary<int, int>();
        for (int i = 0; i < Nodes.Threads.Length; i++)
            innermost.TryAdd(Nodes.Threads[i], Nodes.Operations + i);
        return innermost;
    }

    private int[] StackNumbers()
    {
        var numbers = new int[Nodes.Count];
        for (int stack = 0; stack < _columns.Stacks.Rows.Count; stack++)
        {
            for (int i = 0; i < _columns.Stacks.NodeCount(stack); i++)
                numbers[_columns.Stacks.NodeOf(stack, i)] = stack + 1;
        }
        return numbers;
    }
}

/// <summary>A node of the graph, as far as it is known.</summary>
/// <param name="Number">Its number.</param>
/// <param name="Kind">What it is.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct GraphNode(int Number, AsyncNodeKind Kind)
{
    /// <summary>Address of the object behind it; 0 for threads, their segments, and the thread pool.</summary>
    public ulong Address { get; init; }

    /// <summary>Managed id of a thread, or of the thread that a segment belongs to; null otherwise.</summary>
    public int? Thread { get; init; }

    /// <summary>What an operation or a thread is doing; null for what does nothing by itself, or where that is not known.</summary>
    public StackState? State { get; init; }

    /// <summary>Generation of the object on the heap, 0 to 2; null where that is not known.</summary>
    public int? Generation { get; init; }

    /// <summary>What a resource is; <see cref="WaitKind.None"/> for other nodes. A promise that somebody has to complete is a task.</summary>
    public WaitKind ResourceKind { get; init; }

    /// <summary>By what the program knows a resource, <c>Orders._till</c>; what a context is. Null where there is no name, and for the thread pool.</summary>
    public string? Name { get; init; }

    /// <summary>C# name of a resource's type; null if it is unknown.</summary>
    public string? Type { get; init; }
}
