using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Targets;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Who lets those go on who wait for a promise, a source of value tasks, or a semaphore that is a signal, as far as the code of suspended and running methods tells (decision 69). A promise has no owner: one of
/// these is enough, and nothing is said where that cannot be bounded.
/// </summary>
internal sealed class CompleterColumn(StackInput input, AsyncGraph graph, ChainReader chains, FrameTable table, LeafReader leaves, HolderReader reader, IStackSource source)
{
    // More that could do it are an ordinary service.
    private const int CandidateLimit = 64;
    private const int CallerLimit = 64;

    // Of more promises than these, the first.
    private const int AwaitedLimit = 5000;

    private readonly WorkLimit _limit = new(TimeSpan.FromSeconds(3));
    private readonly HeapIndex _index = input.Index;

    // Whether a big heap is searched is asked once, for all that needs it: that it is not is reported there (A2D3035).
    private readonly bool _isSearched = source.OrphanSearch == OrphanSearch.Heap;
    private readonly Dictionary<ulong, Awaited> _awaited = [];
    private readonly List<(int Node, int Place, IReadOnlySet<string> Types)> _unknown = [];
    private readonly Dictionary<int, bool> _canComplete = [];
    private readonly Dictionary<int, bool> _awaitsSource = [];
    private readonly Dictionary<int, (bool CanComplete, int UserPlace)> _shapes = [];
    private (ulong Address, Awaited? Found) _last;
    private readonly HashSet<(LoadedModule Module, int Token)> _standing = [];
    private int _asked;
    private bool _isCut;

    // What is waited for: the type of its task, and who lets it go on.
    private sealed class Awaited(string? type, bool isPromise)
    {
        public List<(int Node, int Place)> By { get; set; } = [];

        /// <summary>A callback that a thread executes completes it when it returns: no code needs to tell that.</summary>
        public bool IsCallback { get; set; }

        /// <summary>It is an event that the program has given to the timer, and could set itself.</summary>
        public bool IsEvent { get; init; }

        /// <summary>A method of the user awaits the task of its TaskCompletionSource, which it has; so it is none of a framework's.</summary>
        public bool IsOfUser { get; set; }

        public bool IsOfType(string text) => text == Completed.Anything || (isPromise ? text.Length > 0 && SourceTypes.CanBe(text, type) : text.Length == 0);
    }

    /// <summary>Finds them.</summary>
    /// <param name="columns">All that is known.</param>
    /// <returns>Who completes what, and promises that nobody does.</returns>
    public (IReadOnlyList<ReplyRow> By, IReadOnlyList<ulong> Nobody) Read(ModelColumns columns)
    {
        Expect(columns);
        if (_awaited.Count == 0)
            return ([], []);
        for (int node = 0; node < graph.Operations && !_isCut; node++)
        {
            _isCut = ++_asked % 64 == 0 && _limit.IsOver;
            Ask(node);
        }
        for (int segment = 0; segment < input.Segments.Count && !_isCut; segment++)
            AskThread(segment);
        if (_isCut)
            return ([], []);
        var later = new Lazy<LateCompleters>(() => reader.LateCompleters(_standing));
        ReplyRow[] rows = [.. _awaited.OrderBy(pair => pair.Key).SelectMany(pair => Rows(pair.Key, pair.Value, columns, later))];
        return (rows, [.. _awaited.OrderBy(pair => pair.Key).Where(pair => IsNobodys(pair.Key, pair.Value, later)).Select(pair => pair.Key)]);
    }

    // Promises and sources for which methods of the user wait, and semaphores whose waiters do not give back what they get.
    private void Expect(ModelColumns columns)
    {
        HashSet<ulong> events = [.. input.Segments.SelectMany(NotifiedBy)];
        HashSet<ulong> known = [.. columns.Facts.Replies.Select(row => row.Promise), .. columns.Facts.Orphans.Select(row => row.Awaited)];
        foreach (LockRow row in columns.Facts.Holders.Locks.Where(row => row is { Free: 0, Use: LockUse.Kept, IsMoving: false } && !columns.Facts.Holders.HoldersOf(row.Lock).Any()))
            _awaited.TryAdd(row.Lock, new(null, isPromise: false));
        for (int stack = 0; stack < columns.Stacks.Rows.Count && _awaited.Count < AwaitedLimit; stack++)
        {
            StackRow row = columns.Stacks.Rows[stack];
            if (row.WaitAddress == 0 || row.State is not (StackState.Awaiting or StackState.Blocked) || known.Contains(row.WaitAddress) || _awaited.ContainsKey(row.WaitAddress) || columns.Stacks.IdleOf(stack) is not null)
                continue;
            WaitReason? reason = columns.Reasons.GetValueOrDefault(row.WaitAddress);
            if (reason is { EndsByItself: true } or { Behind: not null })
                continue;
            if (row.State == StackState.Blocked && events.Contains(row.WaitAddress))
                _awaited.Add(row.WaitAddress, new(null, isPromise: false) { IsEvent = true });
            else if (reason is null or { Kind: WaitKind.None or WaitKind.Task, Resource: 0 } && source.IsPlainPromise(row.WaitAddress))
                _awaited.Add(row.WaitAddress, new(source.TypeNameOf(row.WaitAddress), isPromise: true));
            else if (reason is { Kind: WaitKind.Custom } && reason.Resource == row.WaitAddress)
                _awaited.Add(row.WaitAddress, new(null, isPromise: false));
        }
    }

    // No method that is suspended or runs completes it, and nothing leads to one that could.
    private bool IsNobodys(ulong address, Awaited awaited, Lazy<LateCompleters> later)
        => awaited is { IsOfUser: true, By.Count: 0 } && !_unknown.Exists(one => one.Types.Any(awaited.IsOfType)) && LaterOf(address, awaited, later) == Later.Never;

    private Later LaterOf(ulong address, Awaited awaited, Lazy<LateCompleters> later) => _isSearched ? later.Value.MayComplete(address, awaited.IsOfType) : Later.Perhaps;

    private void Ask(int node)
    {
        NodeRow row = _index.Nodes[node];
        if (!row.IsChain)
        {
            if (row.Kind is not (NodeKind.Machine or NodeKind.Pooled) || graph.RunsOn(node) || table.IdOf(row) is var id && table[id].Machine is not { } machine)
                return;
            if (AwaitedBy(node) is { IsOfUser: false } awaited)
                awaited.IsOfUser = AwaitsSource(id);
            if (CanComplete(id))
                Add(node, id, reader.CompletedAt(machine, row));
            return;
        }
        (bool canComplete, int place) = ShapeOf(node);
        if (place >= 0 && AwaitedBy(node) is { IsOfUser: false } waits)
            waits.IsOfUser = AwaitsSource(place);
        if (!canComplete)
            return;
        foreach (int frame in FramesOf(node))
        {
            int id = table.IdOf(frame);
            if (CanComplete(id))
                Add(node, id, reader.CompletedAt(table[id].Point, _index.Frames.RowOf(frame)));
        }
    }

    // Chains of one shape have frames at the same places: a million of them are one question. -1 where no frame is the user's.
    private (bool CanComplete, int UserPlace) ShapeOf(int node)
    {
        bool isPlain = !graph.RunsOn(node) && !chains.IsCut(node);
        int shape = isPlain ? chains.KnownOf(node).Shape : -1;
        if (shape > 0 && _shapes.TryGetValue(shape, out (bool CanComplete, int UserPlace) known))
            return known;
        known = (false, -1);
        foreach (int frame in FramesOf(node))
        {
            int id = table.IdOf(frame);
            if (known.UserPlace < 0 && table[id].Point.Method is { IsUserBody: true })
                known.UserPlace = id;
            known.CanComplete |= CanComplete(id);
        }
        if (shape > 0)
            _shapes[shape] = known;
        return known;
    }

    private IEnumerable<int> FramesOf(int node)
    {
        for (int frame = chains.FirstSuspendedOf(node, graph, input.Segments), steps = 0; frame >= 0 && !_index.Frames.IsFinal(frame) && steps < _index.Frames.Count; frame = _index.Frames.Next(frame), steps++)
            yield return frame;
    }

    // Many in a row await the same.
    private Awaited? AwaitedBy(int node)
    {
        if (graph.Awaits(node) >= 0 || leaves.AwaitedAddress(node) is not (not 0 and var address))
            return null;
        if (_last.Address != address)
            _last = (address, _awaited.GetValueOrDefault(address));
        return _last.Found;
    }

    private bool AwaitsSource(int id)
    {
        if (!_awaitsSource.TryGetValue(id, out bool awaits))
            _awaitsSource[id] = awaits = table[id].Machine is { } machine ? reader.AwaitsSource(machine) : reader.AwaitsSource(table[id].Point);
        return awaits;
    }

    private void AskThread(int segment)
    {
        ThreadSegment all = input.Segments[segment];
        // Who disposes of a timer waits until its callbacks have returned.
        foreach (ulong promise in NotifiedBy(all).Where(_awaited.ContainsKey))
            (_awaited[promise].By, _awaited[promise].IsCallback) = ([(graph.SegmentNode(segment), table.IdOf(all.Frames[0]))], true);
        foreach (ThreadFrame frame in all.Frames.Where(frame => reader.CanComplete(frame.Method)))
        {
            int id = table.IdOf(frame);
            Add(graph.SegmentNode(segment), id, reader.CompletedAt(new RunningFrame(frame.Method, table.CallsOf(id, frame, reader), frame.Roots, all.Roots, null)));
        }
    }

    private IEnumerable<ulong> NotifiedBy(ThreadSegment segment)
        => segment.Frames.Where(frame => frame.Method.Facts?.DeclaringType.FullName == TimerCallbacks.TypeName).SelectMany(frame => frame.Roots).Distinct().Select(source.NotifiedBy).Where(notified => notified != 0);

    private bool CanComplete(int id)
    {
        if (!_canComplete.TryGetValue(id, out bool can))
        {
            _canComplete[id] = can = reader.CanComplete(table[id].Point) || reader.CanComplete(table[id].Machine);
            if (can && (table[id].Machine is { MoveNext: { } machine } ? machine : table[id].Point.Method is { Facts: { } facts } method ? new ModuleMethod(method.Module, facts) : null) is { } standing)
                _standing.Add((standing.Module, standing.Facts.Token));
        }
        return can;
    }

    private void Add(int node, int place, Completed completed)
    {
        foreach (ulong item in completed.Objects)
        {
            if (_awaited.TryGetValue(item, out Awaited? awaited) && !awaited.By.Exists(one => one.Node == node))
                awaited.By.Add((node, place));
        }
        if (completed.Unknown.Count > 0)
            _unknown.Add((node, place, completed.Unknown));
    }

    // One of them is enough, so all have to be known; who waits for it itself is not one.
    private IEnumerable<ReplyRow> Rows(ulong address, Awaited awaited, ModelColumns columns, Lazy<LateCompleters> later)
    {
        // The end of a timer's callbacks nothing else tells.
        if (awaited.IsCallback)
            return awaited.By.Exists(one => GoesOn(one.Node, columns)) ? [] : awaited.By.Select(one => new ReplyRow(address, one.Node, one.Place, 0, awaited.IsEvent ? Confidence.Likely : Confidence.Certain) { IsByCode = true });
        // Nothing but timers was asked of it.
        if (awaited.IsEvent)
            return [];
        (int Node, int Place)[] perhaps = [.. _unknown.Where(one => one.Types.Any(awaited.IsOfType) && !awaited.By.Exists(known => known.Node == one.Node)).Select(one => (one.Node, one.Place))];
        (int Node, int Place)[] by = [.. awaited.By.Concat(perhaps).Where(one => !WaitsFor(one.Node, address, columns))];
        if (by.Length > CandidateLimit || by.Any(one => GoesOn(one.Node, columns)))
            return [];
        Later other = by.Length == 0 && awaited.By.Count == 0 ? Later.Surely : LaterOf(address, awaited, later);
        // Nobody but who waits for it itself: if that is so, it never comes.
        IEnumerable<(int Node, int Place)> all = by.Length == 0 ? awaited.By : awaited.By.Exists(one => by.Contains(one)) ? by : [];
        return other == Later.Surely ? [] : all.Select(one => new ReplyRow(address, one.Node, one.Place, 0, perhaps.Length > 0 || other != Later.Never ? Confidence.Possible : Confidence.Likely) { IsByCode = true });
    }

    private int Innermost(int node)
    {
        for (int i = 0; i < CallerLimit && node < graph.Operations && graph.Awaits(node) is >= 0 and var awaited && awaited != node && awaited < graph.Operations; i++)
            node = awaited;
        return node;
    }

    private bool WaitsFor(int node, ulong address, ModelColumns columns)
    {
        if (node >= graph.Operations)
            return columns.Facts.Blocked.GetValueOrDefault(node)?.Resource == address;
        ulong awaited = leaves.AwaitedAddress(Innermost(node));
        return awaited == address || columns.Reasons.GetValueOrDefault(awaited)?.Resource == address;
    }

    // What does not depend on anything here, or is at work: it will get there.
    private bool GoesOn(int node, ModelColumns columns)
    {
        if (node >= graph.Operations)
            return input.Segments[node - graph.Operations].BlockedBy is null || columns.Facts.Blocked.GetValueOrDefault(node) is { Kind: WaitKind.Timer or WaitKind.Socket or WaitKind.Native or WaitKind.Process };
        int end = Innermost(node);
        return columns.Reasons.GetValueOrDefault(leaves.AwaitedAddress(end)) is { EndsByItself: true } or { Kind: WaitKind.Timer or WaitKind.Socket or WaitKind.Native or WaitKind.Process };
    }
}

/// <summary>Compares types of TaskCompletionSources, as code names them, with those of tasks in memory.</summary>
internal static class SourceTypes
{
    private static readonly Dictionary<string, string> Keywords = new()
    {
        ["Boolean"] = "bool", ["Int32"] = "int", ["Int64"] = "long", ["String"] = "string", ["Object"] = "object", ["Double"] = "double", ["Byte"] = "byte", ["Single"] = "float", ["Char"] = "char", ["UInt32"] = "uint", ["UInt64"] = "ulong", ["Int16"] = "short", ["UInt16"] = "ushort", ["Decimal"] = "decimal",
    };

    /// <summary>A source of a type may be that of a task.</summary>
    /// <param name="source">The type, as code names it.</param>
    /// <param name="task">The task's type; null if it is not known.</param>
    public static bool CanBe(string source, string? task)
    {
        if (task is null)
            return true;
        bool isGeneric = source.Contains('<', StringComparison.Ordinal);
        if (!isGeneric || !task.Contains('<', StringComparison.Ordinal))
            return isGeneric == task.Contains('<', StringComparison.Ordinal);
        string one = Argument(source), other = Argument(task);
        // A type parameter, or something that is composed of others.
        return one == other || one.Length == 0 || other.Length == 0 || (one[0] == 'T' && (one.Length == 1 || char.IsUpper(one[1])));
    }

    private static string Argument(string type)
    {
        string inner = type[(type.IndexOf('<', StringComparison.Ordinal) + 1)..].TrimEnd('>');
        if (inner.AsSpan().IndexOfAny("<,[(?") >= 0)
            return "";
        string last = inner[(inner.LastIndexOfAny(['.', '+']) + 1)..];
        return Keywords.GetValueOrDefault(last, last);
    }
}
