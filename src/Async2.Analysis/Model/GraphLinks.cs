using System.Collections.Immutable;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Model;

/// <summary>Puts together what is waited for that is not an operation, and all edges that are no awaits, from the columns of a model.</summary>
internal sealed class GraphLinks
{
    private static readonly Comparer<TimerRow> ByAwaited = Comparer<TimerRow>.Create((a, b) => a.Awaited.CompareTo(b.Awaited));

    private readonly ModelColumns _columns;
    private readonly NodeTable _nodes;
    private readonly AsyncGraph _awaits;
    private readonly Dictionary<ulong, (WaitKind Kind, WaitReason? Reason, string? Type)> _found = [];
    private readonly TimerRow[] _timers;
    private readonly Dictionary<ulong, ulong> _ends = [];
    private ulong _lastPromise;

    public GraphLinks(ModelColumns columns)
    {
        (_columns, _nodes, _awaits) = (columns, columns.Nodes, columns.Awaits);
        _timers = [.. columns.Facts.Timers];
        foreach (EndRow row in columns.Facts.Ends)
            _ends[row.Awaited] = row.End;
        var threads = new SortedSet<int>(_nodes.Threads);
        // Twice: who is there decides the numbers, and the numbers the edges.
        Walk((from, to, _, _) => Note(from, to, threads));
        Resources = [.. _found.Keys.Order()];
        Kinds = [.. Resources.Select(address => _found[address].Kind)];
        Threads = [.. threads];
        var edges = new List<Edge>();
        Walk((from, to, kind, source) => edges.Add(new(NumberOf(from), NumberOf(to), kind, source)));
        Edges = new EdgeTable(edges, _nodes.Count + Resources.Length + columns.Facts.Contexts.Count + Threads.Length);
    }

    /// <summary>Addresses of resources, ascending.</summary>
    public ulong[] Resources { get; }

    /// <summary>What they are.</summary>
    public WaitKind[] Kinds { get; }

    /// <summary>Managed ids of threads, ascending.</summary>
    public int[] Threads { get; }

    public EdgeTable Edges { get; }

    /// <summary>What one of those who wait for a resource says of it.</summary>
    public WaitReason? ReasonOf(ulong resource) => _found.TryGetValue(resource, out (WaitKind Kind, WaitReason? Reason, string? Type) found) ? found.Reason : null;

    /// <summary>C# name of the type of an awaited object that is a resource itself; null if it is unknown.</summary>
    public string? TypeOf(ulong resource) => _found.TryGetValue(resource, out (WaitKind Kind, WaitReason? Reason, string? Type) found) ? found.Type : null;

    /// <summary>An operation or combinator by its address; -1 for none. A plain task is a node only where somebody asked for such tasks: who waits for it waits for a promise.</summary>
    public int FindNode(ulong address)
    {
        // In address order, each of the two.
        int operation = Array.BinarySearch(_nodes.Addresses, 0, _nodes.Operations, address);
        if (operation >= 0)
            return operation;
        int combinator = Array.BinarySearch(_nodes.Addresses, _awaits.Count, _awaits.Size - _awaits.Count, address);
        return Math.Max(-1, combinator);
    }

    private void Note(in End from, in End to, SortedSet<int> threads)
    {
        NoteEnd(from, threads);
        NoteEnd(to, threads);
    }

    private void NoteEnd(in End end, SortedSet<int> threads)
    {
        if (end.Form == EndForm.Thread)
            threads.Add((int)end.Value);
        else if (end.Form == EndForm.Resource)
            _found.TryAdd(end.Value, (end.Kind, end.Reason, end.Type));
    }

    private int NumberOf(in End end) => end.Form switch
    {
        EndForm.Resource => _nodes.Count + Array.BinarySearch(Resources, end.Value),
        EndForm.Context => _nodes.Count + Resources.Length + (int)end.Value,
        EndForm.Thread => _nodes.Count + Resources.Length + _columns.Facts.Contexts.Count + Array.BinarySearch(Threads, (int)end.Value),
        _ => (int)end.Value,
    };

    private void Walk(LinkSink add)
    {
        // Stacks first: a million of them come in the order of their nodes.
        for (int stack = 0; stack < _columns.Stacks.Rows.Count; stack++)
            WalkStack(stack, add);
        for (int i = 0; i < _nodes.Threads.Length; i++)
            add(End.Node(_nodes.Operations + i), End.Thread(_nodes.Threads[i]), EdgeKind.RunsOn, EdgeSource.ThreadStack);
        // The outer part of a thread's stack goes on when the inner part has returned.
        foreach ((int waiter, Hold hold) in _awaits.Holds)
        {
            if (hold is { IsOwnThread: true, Nodes: [var inner, ..] })
                add(End.Node(waiter), End.Node(inner), EdgeKind.Awaits, EdgeSource.ThreadStack);
        }
        for (int combinator = _awaits.Count; combinator < _awaits.Size; combinator++)
        {
            foreach (ulong leaf in _awaits.LeavesOf(combinator))
                WalkAwaited(combinator, leaf, null, add);
        }
        WalkFacts(add);
    }

    private void WalkFacts(LinkSink add)
    {
        GraphFacts facts = _columns.Facts;
        foreach ((int node, WaitReason reason) in facts.Blocked)
            WalkBlocked(node, reason, add);
        foreach (LimitRow limit in facts.Limits)
            add(End.Node(limit.Node), End.Resource(limit.Timer, WaitKind.Timer), EdgeKind.CompletedBy, EdgeSource.Field);
        for (int i = 0; i < facts.Contexts.Count; i++)
        {
            foreach (int thread in facts.Contexts[i].Threads)
                add(End.Context(i), End.Thread(thread), EdgeKind.RunsOn, facts.Contexts[i].IsInferred ? EdgeSource.Inferred : EdgeSource.Field);
        }
        foreach (HolderRow row in facts.Holders.Rows)
        {
            if (row.IsHolder)
                add(End.Resource(row.Lock, WaitKind.Semaphore), End.Node(row.Node), EdgeKind.HeldBy, SourceOf(row.Class));
        }
        foreach (QueuedRow row in facts.Queued)
            add(FindNode(row.Task) is >= 0 and var task ? End.Node(task) : End.Resource(row.Task, WaitKind.Task), End.Context(row.Context), EdgeKind.ResumesOn, row.Source);
        foreach (ResumptionRow row in facts.Resumptions)
            add(End.Node(row.Node), row.Context >= 0 ? End.Context(row.Context) : End.Thread(row.Thread), EdgeKind.ResumesOn, row.Source);
    }

    private void WalkStack(int stack, LinkSink add)
    {
        StackRow row = _columns.Stacks.Rows[stack];
        int node = _columns.Stacks.NodeOf(stack, 0);
        if ((row.Flags & StackFlags.IsTask) != 0)
        {
            // Each of these plain tasks waits for the one before it, which names it.
            for (int i = 1; i < _columns.Stacks.NodeCount(stack); i++)
                add(End.Node(_columns.Stacks.NodeOf(stack, i)), End.Node(_columns.Stacks.NodeOf(stack, i - 1)), EdgeKind.Awaits, EdgeSource.ContinuationObject);
            return;
        }
        // What was awaited has happened where the stack says where it goes on; what a thread blocks in has been read with it.
        WaitingOn? wait = _columns.Stacks.WaitOf(stack);
        bool isWaiting = row.WaitAddress != 0 && row.State is StackState.Awaiting or StackState.Blocked or StackState.Deadlocked && wait is not { IsDone: true };
        if (isWaiting && node < _awaits.Count && _awaits.Awaits(node) < 0 && !_columns.Facts.Blocked.ContainsKey(node))
            WalkAwaited(node, row.WaitAddress, wait, add);
    }

    // What stands behind an awaited object; where that is nothing, the object itself, which somebody has to complete.
    private void WalkAwaited(int node, ulong awaited, WaitingOn? wait, LinkSink add)
    {
        // Thousands may wait for one promise, one after the other.
        if (awaited == _lastPromise)
        {
            AddPromise(node, awaited, null, wait, add);
            return;
        }
        WaitReason? reason = _columns.Reasons.GetValueOrDefault(awaited);
        bool isEnded = AddTimers(node, awaited, add) && reason is { Kind: WaitKind.Timer };
        for (WaitReason? level = reason; level is not null; level = level.Behind)
        {
            if (level.Resource == 0 || level.Behind?.Resource == level.Resource)
                continue;
            isEnded = true;
            AddResource(node, level, SourceOf(level), add);
        }
        if (isEnded)
            return;
        if (_ends.TryGetValue(awaited, out ulong end))
            AddEnd(node, end, reason, add);
        else if (FindNode(awaited) < 0)
            AddPromise(node, awaited, reason, wait, add);
    }

    private void AddPromise(int node, ulong awaited, WaitReason? reason, WaitingOn? wait, LinkSink add)
    {
        _lastPromise = reason is null ? awaited : 0;
        add(End.Node(node), End.Resource(awaited, reason?.Kind ?? wait?.Kind ?? WaitKind.Task, reason, wait?.Type), EdgeKind.BlockedOn, _awaits.IsSegment(node) ? EdgeSource.ThreadStack : EdgeSource.SavedAwaiter);
    }

    private void AddEnd(int node, ulong end, WaitReason? reason, LinkSink add)
    {
        int operation = FindNode(end);
        if (operation != node)
            add(End.Node(node), operation >= 0 ? End.Node(operation) : End.Resource(end, reason?.Kind ?? WaitKind.Task), EdgeKind.BlockedOn, EdgeSource.Field);
    }

    private void WalkBlocked(int node, WaitReason reason, LinkSink add)
    {
        if (reason.Kind == WaitKind.Thread)
        {
            foreach (int thread in HoldersOf(reason))
                add(End.Node(node), End.Thread(thread), EdgeKind.CompletedBy, EdgeSource.ThreadStack);
        }
        else if (reason.Resource != 0)
        {
            AddResource(node, reason, EdgeSource.ThreadStack, add);
        }
        else
        {
            // A class initializer has no object.
            foreach (int thread in HoldersOf(reason))
                add(End.Node(node), End.Thread(thread), EdgeKind.BlockedOn, EdgeSource.OwnerRecord);
        }
    }

    private void AddResource(int node, WaitReason reason, EdgeSource source, LinkSink add)
    {
        if (FindNode(reason.Resource) is >= 0 and var operation)
        {
            if (operation != node && (operation >= _awaits.Size || node >= _awaits.Count || _awaits.Awaits(node) != operation))
                add(End.Node(node), End.Node(operation), EdgeKind.BlockedOn, source);
            return;
        }
        End resource = End.Resource(reason.Resource, reason.Kind, reason);
        add(End.Node(node), resource, reason.Kind is WaitKind.Timer or WaitKind.Socket ? EdgeKind.CompletedBy : EdgeKind.BlockedOn, source);
        foreach (int thread in HoldersOf(reason))
            add(resource, End.Thread(thread), EdgeKind.HeldBy, EdgeSource.OwnerRecord);
    }

    private bool AddTimers(int node, ulong awaited, LinkSink add)
    {
        int first = Array.BinarySearch(_timers, new TimerRow(awaited, 0), ByAwaited);
        if (first < 0)
            return false;
        while (first > 0 && _timers[first - 1].Awaited == awaited)
            first--;
        for (int i = first; i < _timers.Length && _timers[i].Awaited == awaited; i++)
            add(End.Node(node), End.Resource(_timers[i].Timer, WaitKind.Timer), EdgeKind.CompletedBy, EdgeSource.Field);
        return true;
    }

    private static ImmutableArray<int> HoldersOf(WaitReason reason)
        => reason.Owner is { } owner && !reason.Holders.Contains(owner) ? reason.Holders.Add(owner) : reason.Holders;

    private static EdgeSource SourceOf(HolderClass holder) => holder switch
    {
        HolderClass.Always => EdgeSource.AcquiredByCode,
        HolderClass.Sometimes => EdgeSource.PerhapsAcquiredByCode,
        _ => EdgeSource.ReleasedByCode,
    };

    // Families of waits that are found by the queue that the waiter stands in. A dataflow block is a channel, but who waits for it refers to it.
    private static EdgeSource SourceOf(WaitReason reason) => reason.Kind is WaitKind.Semaphore or WaitKind.Pool
        || reason is { Kind: WaitKind.Channel, Action: WaitAction.Read or WaitAction.Write or WaitAction.WaitToRead or WaitAction.WaitToWrite } ? EdgeSource.WaitQueue : EdgeSource.Field;

    private delegate void LinkSink(End from, End to, EdgeKind kind, EdgeSource source);

    private enum EndForm
    {
        Node,
        Resource,
        Context,
        Thread,
    }

    private readonly record struct End(EndForm Form, ulong Value, WaitKind Kind = WaitKind.None, WaitReason? Reason = null, string? Type = null)
    {
        public static End Node(int number) => new(EndForm.Node, (ulong)number);

        public static End Resource(ulong address, WaitKind kind, WaitReason? reason = null, string? type = null) => new(EndForm.Resource, address, kind, reason, type);

        public static End Context(int number) => new(EndForm.Context, (ulong)number);

        public static End Thread(int id) => new(EndForm.Thread, (ulong)(uint)id);
    }
}
