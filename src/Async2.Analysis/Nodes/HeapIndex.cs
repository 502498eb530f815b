using System.Runtime.InteropServices;
using Async2.Analysis.Layouts;

namespace Async2.Analysis.Nodes;

/// <summary>The async objects of a heap in columns, in address order, with lookup by address.</summary>
internal sealed class HeapIndex
{
    private readonly NodeRow[] _nodes;
    private readonly PromiseRow[] _combinators;
    private readonly List<PromiseRow> _promises;
    private readonly Dictionary<ulong, ulong> _aliases = [];

    /// <param name="layout">Where the fields of these objects are.</param>
    /// <param name="frames">Suspended frames.</param>
    /// <param name="nodes">In any order; the array is kept.</param>
    /// <param name="combinators">Tasks that wait for several others.</param>
    /// <param name="promises">Other pending tasks that somebody waits for.</param>
    /// <param name="complete">False when a part of the heap could not be walked.</param>
    public HeapIndex(RuntimeLayout layout, FrameColumns frames, NodeRow[] nodes, PromiseRow[] combinators, List<PromiseRow> promises, bool complete)
    {
        SortByAddress(nodes);
        SortByAddress(combinators);
        Layout = layout;
        Frames = frames;
        _nodes = nodes;
        _combinators = combinators;
        _promises = promises;
        Complete = complete;
    }

    /// <summary>Where the fields of these objects are.</summary>
    public RuntimeLayout Layout { get; }

    public FrameColumns Frames { get; }

    /// <summary>Pending operations with frames. Completed ones are left out: their chains are garbage.</summary>
    public ReadOnlySpan<NodeRow> Nodes => _nodes;

    /// <summary>Pending WhenAll, WhenAny and the like.</summary>
    public ReadOnlySpan<PromiseRow> Combinators => _combinators;

    /// <summary>Other pending tasks that somebody waits for; empty if there are no combinators, which alone need them.</summary>
    public ReadOnlySpan<PromiseRow> Promises => _combinators.Length == 0 ? [] : CollectionsMarshal.AsSpan(_promises);

    /// <summary>Other tasks that were asked for.</summary>
    public IReadOnlyList<TaskRow> Tasks { get; init; } = [];

    /// <summary>Semaphores, channels, events: resources whose waiters have no reference to them.</summary>
    public IReadOnlyList<ulong> Resources { get; init; } = [];

    /// <summary>Suspended frames that saved the context or scheduler in which they go on.</summary>
    public IReadOnlyList<ulong> Capturing { get; init; } = [];

    /// <summary>Timers that are set and fire once, in address order.</summary>
    public IReadOnlyList<TimerStamp> Timers { get; set; } = [];

    /// <summary>Some execution context may have values of AsyncLocals: one was met, or a part of the heap was not walked.</summary>
    public bool HasLocalValues { get; set; } = true;

    /// <summary>Operations that a promise waits for, although no task links them.</summary>
    public IReadOnlyList<LoopBody> Bodies { get; private init; } = [];

    /// <summary>Operations that set an event of the operating system when they complete, by the event.</summary>
    public IReadOnlyDictionary<ulong, ulong> Events { get; private init; } = new Dictionary<ulong, ulong>();

    /// <summary>False when a part of the heap could not be walked.</summary>
    public bool Complete { get; }

    /// <summary>The same with promises that wait for operations, as a WhenAll would.</summary>
    /// <param name="bodies">Who works for which promise.</param>
    /// <param name="awaiterOf">A promise's <c>m_continuationObject</c>.</param>
    public HeapIndex WithBodies(IReadOnlyList<LoopBody> bodies, Func<ulong, ulong> awaiterOf)
    {
        PromiseRow[] promises = [.. bodies.Select(body => body.Promise).Distinct().Where(promise => FindCombinator(promise) < 0).Select(promise => new PromiseRow(promise, awaiterOf(promise), NeedsAll: true))];
        return With(_nodes, [.. _combinators, .. promises], [.. Bodies, .. bodies]);
    }

    /// <summary>Lets a node be found by a second address: an async iterator is awaited by its machine, not by its box.</summary>
    public void AddAlias(ulong alias, ulong node) => _aliases[alias] = node;

    /// <summary>The same with other heads for some chains, by the address of their task.</summary>
    public HeapIndex WithHeads(IReadOnlyDictionary<ulong, ulong> heads)
    {
        NodeRow[] nodes = [.. _nodes];
        for (int i = 0; i < nodes.Length; i++)
        {
            if (heads.TryGetValue(nodes[i].Address, out ulong head))
                nodes[i] = nodes[i] with { Body = head };
        }
        return With(nodes, _combinators, Bodies);
    }

    /// <summary>The same with asyncs of F#.</summary>
    /// <param name="asyncs">By their address; an operation that has one is replaced.</param>
    /// <param name="aliases">Second addresses of asyncs.</param>
    /// <param name="events">Which of them set an event that a thread may wait for.</param>
    public HeapIndex WithAsyncs(IReadOnlyDictionary<ulong, NodeRow> asyncs, IReadOnlyList<(ulong Alias, ulong Node)> aliases, IReadOnlyDictionary<ulong, ulong> events)
    {
        HeapIndex index = With([.. _nodes.Where(row => !asyncs.ContainsKey(row.Address)), .. asyncs.Values], _combinators, Bodies, events);
        foreach ((ulong alias, ulong node) in aliases)
            index.AddAlias(alias, node);
        return index;
    }

    /// <summary>The same with more combinators.</summary>
    public HeapIndex WithCombinators(IEnumerable<PromiseRow> more) => With(_nodes, [.. _combinators, .. more], Bodies);

    private HeapIndex With(NodeRow[] nodes, PromiseRow[] combinators, IReadOnlyList<LoopBody> bodies, IReadOnlyDictionary<ulong, ulong>? events = null)
    {
        var index = new HeapIndex(Layout, Frames, nodes, combinators, _promises, Complete) { Resources = Resources, Capturing = Capturing, Tasks = Tasks, Timers = Timers, HasLocalValues = HasLocalValues, Bodies = bodies, Events = events ?? Events };
        foreach ((ulong alias, ulong node) in _aliases)
            index.AddAlias(alias, node);
        return index;
    }

    /// <summary>Position of the suspended frame at an address; -1 if there is none.</summary>
    public int FindFrame(ulong address) => Frames.Find(address);

    /// <summary>Index of the pending operation at an address; -1 if there is none.</summary>
    public int FindNode(ulong address)
    {
        int found = Search(_nodes, address);
        return found < 0 && _aliases.Count > 0 && _aliases.TryGetValue(address, out ulong node) ? Search(_nodes, node) : found;
    }

    /// <summary>Index of the combinator at an address; -1 if there is none.</summary>
    public int FindCombinator(ulong address) => Search(_combinators, address);

    // The heap walk finds them in this order, unless the heap is damaged.
    private static void SortByAddress<TRow>(TRow[] rows)
        where TRow : struct, IAddressedRow
    {
        for (int i = 1; i < rows.Length; i++)
        {
            if (rows[i - 1].Address > rows[i].Address)
            {
                Array.Sort(rows, (a, b) => a.Address.CompareTo(b.Address));
                return;
            }
        }
    }

    // Millions are looked up, each in some twenty steps.
    private static int Search<TRow>(TRow[] rows, ulong address)
        where TRow : struct, IAddressedRow
    {
        int low = 0, high = rows.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) >>> 1;
            ulong found = rows[middle].Address;
            if (found == address)
                return middle;
            if (found < address)
                low = middle + 1;
            else
                high = middle - 1;
        }
        return -1;
    }
}
