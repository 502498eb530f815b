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
    private readonly LinkEnds<KnownResource> _linked;
    private readonly TimerRow[] _timers;
    private readonly Dictionary<ulong, ulong> _ends = [];
    private Edge[] _edges;
    private int _count;
    private ulong _lastPromise;

    public GraphLinks(ModelColumns columns)
    {
        (_columns, _nodes, _awaits) = (columns, columns.Nodes, columns.Awaits);
        _timers = [.. columns.Facts.Timers];
        foreach (EndRow row in columns.Facts.Ends)
            _ends[row.Awaited] = row.End;
        // Nearly always there is one for each stack, and for each timer.
        _edges = new Edge[columns.Stacks.Rows.Count + _timers.Length + _nodes.Threads.Length];
        _linked = new LinkEnds<KnownResource>(ResourcesAtMost(columns.Stacks.Rows));
        foreach (int thread in _nodes.Threads)
            _linked.OfThread(thread);
        Walk();
        _linked.Order(_nodes.Count, columns.Facts.Contexts.Count);
        for (int i = 0; i < _count; i++)
            _edges[i] = _edges[i] with { From = _linked.NumberOf(_edges[i].From), To = _linked.NumberOf(_edges[i].To) };
        Edges = new EdgeTable(_edges, _count, _nodes.Count + Resources.Length + columns.Facts.Contexts.Count + Threads.Length);
        _edges = [];
    }

    /// <summary>Addresses of resources, ascending.</summary>
    public ulong[] Resources => _linked.Resources;

    /// <summary>Managed ids of threads, ascending.</summary>
    public int[] Threads => _linked.Threads;

    public EdgeTable Edges { get; }

    /// <summary>What a resource is.</summary>
    /// <param name="resource">Its position among all.</param>
    public WaitKind KindOf(int resource) => _linked.Known[resource].Kind;

    /// <summary>What one of those who wait for a resource says of it.</summary>
    /// <param name="resource">Its position among all.</param>
    public WaitReason? ReasonOf(int resource) => _linked.Known[resource].Reason;

    /// <summary>C# name of the type of an awaited object that is a resource itself; null if it is unknown.</summary>
    /// <param name="resource">Its position among all.</param>
    public string? TypeOf(int resource) => _linked.Known[resource].Type;

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

    // Many stacks in a row wait for one object.
    private static int ResourcesAtMost(RowList<StackRow> rows)
    {
        int count = 0;
        ulong last = 0;
        for (int i = 0; i < rows.Count; i++)
        {
            count += rows[i].WaitAddress != last ? 1 : 0;
            last = rows[i].WaitAddress;
        }
        return count;
    }

    private void Add(in End from, in End to, EdgeKind kind, EdgeSource source)
    {
        if (_count == _edges.Length)
            Array.Resize(ref _edges, Math.Max(16, checked(_count * 2)));
        _edges[_count++] = new(LinkedOf(from), LinkedOf(to), kind, source);
    }

    private int LinkedOf(in End end) => end.Form switch
    {
        EndForm.Resource => _linked.OfResource(end.Value, new(end.Kind, end.Reason, end.Type)),
        EndForm.Context => LinkEnds<KnownResource>.OfContext((int)end.Value),
        EndForm.Thread => _linked.OfThread((int)end.Value),
        _ => (int)end.Value,
    };

    private void Walk()
    {
        // Stacks first: a million of them come in the order of their nodes.
        for (int stack = 0; stack < _columns.Stacks.Rows.Count; stack++)
            WalkStack(stack);
        for (int i = 0; i < _nodes.Threads.Length; i++)
            Add(End.Node(_nodes.Operations + i), End.Thread(_nodes.Threads[i]), EdgeKind.RunsOn, EdgeSource.ThreadStack);
        // The outer part of a thread's stack goes on when the inner part has returned.
        foreach ((int waiter, Hold hold) in _awaits.Holds)
        {
            if (hold is { IsOwnThread: true, Nodes: [var inner, ..] })
                Add(End.Node(waiter), End.Node(inner), EdgeKind.Awaits, EdgeSource.ThreadStack);
        }
        for (int combinator = _awaits.Count; combinator < _awaits.Size; combinator++)
        {
            foreach (ulong leaf in _awaits.LeavesOf(combinator))
                WalkAwaited(combinator, leaf, null);
        }
        WalkFacts();
    }

    private void WalkFacts()
    {
        GraphFacts facts = _columns.Facts;
        foreach ((int node, WaitReason reason) in facts.Blocked)
            WalkBlocked(node, reason);
        foreach (LimitRow limit in facts.Limits)
            Add(End.Node(limit.Node), End.Resource(limit.Timer, WaitKind.Timer), EdgeKind.CompletedBy, EdgeSource.Field);
        for (int i = 0; i < facts.Contexts.Count; i++)
        {
            foreach (int thread in facts.Contexts[i].Threads)
                Add(End.Context(i), End.Thread(thread), EdgeKind.RunsOn, facts.Contexts[i].IsInferred ? EdgeSource.Inferred : EdgeSource.Field);
        }
        foreach (HolderRow row in facts.Holders.Rows)
        {
            if (row.IsHolder)
                Add(End.Resource(row.Lock, WaitKind.Semaphore), End.Node(row.Node), EdgeKind.HeldBy, SourceOf(row.Class));
        }
        foreach (ReplyRow row in facts.Replies)
            Add(End.Resource(row.Promise, row.IsRoom ? WaitKind.Channel : WaitKind.Task), End.Node(row.Node), EdgeKind.HeldBy, EdgeSource.Inferred);
        foreach (QueuedRow row in facts.Queued)
            Add(FindNode(row.Task) is >= 0 and var task ? End.Node(task) : End.Resource(row.Task, WaitKind.Task), End.Context(row.Context), EdgeKind.ResumesOn, row.Source);
        foreach (ResumptionRow row in facts.Resumptions)
            Add(End.Node(row.Node), row.Context >= 0 ? End.Context(row.Context) : End.Thread(row.Thread), EdgeKind.ResumesOn, row.Source);
    }

    private void WalkStack(int stack)
    {
        StackRow row = _columns.Stacks.Rows[stack];
        int node = _columns.Stacks.NodeOf(stack, 0);
        if ((row.Flags & StackFlags.IsTask) != 0)
        {
            // Each of these plain tasks waits for the one before it, which names it.
            for (int i = 1; i < _columns.Stacks.NodeCount(stack); i++)
                Add(End.Node(_columns.Stacks.NodeOf(stack, i)), End.Node(_columns.Stacks.NodeOf(stack, i - 1)), EdgeKind.Awaits, EdgeSource.ContinuationObject);
            return;
        }
        // What was awaited has happened where the stack says where it goes on; what a thread blocks in has been read with it.
        WaitingOn? wait = _columns.Stacks.WaitOf(stack);
        bool isWaiting = row.WaitAddress != 0 && row.State is StackState.Awaiting or StackState.Blocked or StackState.Deadlocked && wait is not { IsDone: true };
        if (isWaiting && node < _awaits.Count && _awaits.Awaits(node) < 0 && !_columns.Facts.Blocked.ContainsKey(node))
            WalkAwaited(node, row.WaitAddress, wait);
    }

    // What stands behind an awaited object; where that is nothing, the object itself, which somebody has to complete.
    private void WalkAwaited(int node, ulong awaited, WaitingOn? wait)
    {
        // Thousands may wait for one promise, one after the other.
        if (awaited == _lastPromise)
        {
            AddPromise(node, awaited, null, wait);
            return;
        }
        WaitReason? reason = _columns.Reasons.GetValueOrDefault(awaited);
        bool isEnded = AddTimers(node, awaited) && reason is { Kind: WaitKind.Timer };
        for (WaitReason? level = reason; level is not null; level = level.Behind)
        {
            if (level.Resource == 0 || level.Behind?.Resource == level.Resource)
                continue;
            isEnded = true;
            AddResource(node, level, SourceOf(level));
        }
        if (isEnded)
            return;
        if (_ends.TryGetValue(awaited, out ulong end))
            AddEnd(node, end, reason);
        else if (FindNode(awaited) < 0)
            AddPromise(node, awaited, reason, wait);
    }

    private void AddPromise(int node, ulong awaited, WaitReason? reason, WaitingOn? wait)
    {
        _lastPromise = reason is null ? awaited : 0;
        Add(End.Node(node), End.Resource(awaited, reason?.Kind ?? wait?.Kind ?? WaitKind.Task, reason, wait?.Type), EdgeKind.BlockedOn, _awaits.IsSegment(node) ? EdgeSource.ThreadStack : EdgeSource.SavedAwaiter);
    }

    private void AddEnd(int node, ulong end, WaitReason? reason)
    {
        int operation = FindNode(end);
        if (operation != node)
            Add(End.Node(node), operation >= 0 ? End.Node(operation) : End.Resource(end, reason?.Kind ?? WaitKind.Task), EdgeKind.BlockedOn, EdgeSource.Field);
    }

    private void WalkBlocked(int node, WaitReason reason)
    {
        if (reason.Kind == WaitKind.Thread)
        {
            foreach (int thread in HoldersOf(reason))
                Add(End.Node(node), End.Thread(thread), EdgeKind.CompletedBy, EdgeSource.ThreadStack);
        }
        else if (reason.Resource != 0)
        {
            AddResource(node, reason, EdgeSource.ThreadStack);
        }
        else
        {
            // A class initializer has no object.
            foreach (int thread in HoldersOf(reason))
                Add(End.Node(node), End.Thread(thread), EdgeKind.BlockedOn, EdgeSource.OwnerRecord);
        }
    }

    private void AddResource(int node, WaitReason reason, EdgeSource source)
    {
        if (FindNode(reason.Resource) is >= 0 and var operation)
        {
            if (operation != node && (operation >= _awaits.Size || node >= _awaits.Count || _awaits.Awaits(node) != operation))
                Add(End.Node(node), End.Node(operation), EdgeKind.BlockedOn, source);
            return;
        }
        End resource = End.Resource(reason.Resource, reason.Kind, reason);
        Add(End.Node(node), resource, reason.Kind is WaitKind.Timer or WaitKind.Socket ? EdgeKind.CompletedBy : EdgeKind.BlockedOn, source);
        foreach (int thread in HoldersOf(reason))
            Add(resource, End.Thread(thread), EdgeKind.HeldBy, EdgeSource.OwnerRecord);
    }

    private bool AddTimers(int node, ulong awaited)
    {
        int first = Array.BinarySearch(_timers, new TimerRow(awaited, 0), ByAwaited);
        if (first < 0)
            return false;
        while (first > 0 && _timers[first - 1].Awaited == awaited)
            first--;
        for (int i = first; i < _timers.Length && _timers[i].Awaited == awaited; i++)
            Add(End.Node(node), End.Resource(_timers[i].Timer, WaitKind.Timer), EdgeKind.CompletedBy, EdgeSource.Field);
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

    // What those who wait for a resource say of it; the type if it is what they await themselves.
    private readonly record struct KnownResource(WaitKind Kind, WaitReason? Reason, string? Type);
}
