using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders;
using Async2.Analysis.Holders.Flow;
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
internal sealed class CompleterColumn(StackInput input, AsyncGraph graph, ChainReader chains, SuspendedFrames frames, FrameTable table, LeafReader leaves, HolderReader reader, IStackSource source)
{
    // More that could do it are an ordinary service.
    private const int CandidateLimit = 64;
    private const int CallerLimit = 64;
    private const int PartsDepth = 4;
    // How many operations may come before it looks whether the time is over; those that have to be asked what they complete count more.
    private const int AskedBetween = 4096;
    private const int AskedWeight = 64;
    // Of more promises than these, the first.
    private const int AwaitedLimit = 5000;

    private readonly WorkLimit _limit = new(TimeSpan.FromSeconds(3));
    private readonly HeapIndex _index = input.Index;
    private readonly Lazy<Mailboxes> _mailboxes = new(reader.Mailboxes);

    // Whether a big heap is searched is asked once, for all that needs it: that it is not is reported there (A2D3035). A thread that could not be seen may complete anything.
    private readonly bool _isSearched = input.ThreadsWithoutRegisters.Count == 0 && source.OrphanSearch == OrphanSearch.Heap;
    private readonly Dictionary<ulong, AwaitedItem> _awaited = [];
    private readonly List<(int Node, int Place, IReadOnlySet<string> Types)> _unknown = [];
    private readonly HashSet<string> _unknownTypes = [];
    private readonly Dictionary<int, bool> _canComplete = [];
    private readonly Dictionary<(int Place, int Deeper), bool> _doesComplete = [];
    private readonly List<int> _atWork = [];
    private HashSet<ulong> _answeredHere = [];
    private Dictionary<ulong, ulong> _ends = [];
    private readonly Dictionary<(int Place, int Deeper), bool> _awaitsSource = [];
    private readonly Dictionary<int, (bool MayComplete, ChainFrame? User)> _shapes = [];
    private (ulong Address, AwaitedItem? Found) _last;
    private ((int Place, int Deeper) Frame, bool Awaits) _lastSource = ((-1, 0), false);
    private (int Shape, (bool MayComplete, ChainFrame? User) Known) _lastShape;
    private readonly HashSet<(LoadedModule Module, int Token)> _standing = [];
    private readonly HashSet<int> _hostPlaces = [];
    private readonly List<(int Node, int Place)> _hosts = [];
    private int _asked;
    private bool _isCut;

    /// <summary>Finds them.</summary>
    /// <param name="columns">All that is known.</param>
    /// <returns>Who completes what, and promises that nobody does.</returns>
    public (IReadOnlyList<ReplyRow> By, IReadOnlyList<ulong> Nobody) Read(ModelColumns columns)
    {
        _ends = columns.Facts.Ends.ToDictionary(row => row.Awaited, row => row.End);
        new AwaitedItems(columns, _ends, source.IsPlainPromise, source.TypeNameOf).AddTo(_awaited, input.Segments.SelectMany(NotifiedBy).ToHashSet(), AwaitedLimit);
        foreach (ulong pipe in _awaited.Where(pair => pair.Value.Queue == PromiseCalls.Pipe && _mailboxes.Value.IsFilledByStream(pair.Key)).Select(pair => pair.Key).ToArray())
            _awaited.Remove(pipe);
        if (_awaited.Count == 0)
            return ([], []);
        _answeredHere = columns.Facts.AnsweredHere();
        for (int node = 0; node < graph.Operations && !IsCut(); node++)
            Ask(node, columns);
        for (int segment = 0; segment < input.Segments.Count && !IsCut(); segment++)
            AskThread(segment, columns);
        // Who is at work only keeps things from being said.
        if (!_isCut && _awaited.Any(pair => IsWithoutAny(pair.Value) || WhoWould(pair.Key, pair.Value, columns).Count > 0))
        {
            for (int i = 0; i < _atWork.Count && !IsCut(); i++)
                AskAll(_atWork[i]);
        }
        if (_isCut)
            return ([], []);
        var called = new Lazy<HashSet<ulong>>(() => ToBeCalled(columns));
        var later = new Lazy<LateCompleters>(() => reader.LateCompleters(_standing, called: called.Value));
        if (_isSearched && _hosts is [var host] && later.Value.IsWhole)
            AddServices(host, later.Value, new(() => reader.LateCompleters(_standing, holdsServices: true, called: called.Value)));
        ReplyRow[] rows = [.. _awaited.OrderBy(pair => pair.Key).SelectMany(pair => Rows(pair.Key, pair.Value, columns, later))];
        // No method that is suspended or runs completes these, and nothing leads to one that could.
        return (rows, [.. _awaited.Where(pair => !pair.Value.IsOrphan && IsWithoutAny(pair.Value) && LaterOf(pair.Key, pair.Value, later) == Later.Never).Select(pair => pair.Key).Order()]);
    }

    // Bodies of Parallel.ForEachAsync of which not all workers wait for what is asked about: another element comes.
    private HashSet<ulong> ToBeCalled(ModelColumns columns)
        => [.. _index.Bodies.GroupBy(body => body.Called).Where(workers => workers.Any(worker => _index.FindNode(worker.Operation) is not (>= 0 and var node) || !IsAsked(EndOf(node, columns)))).Select(workers => workers.Key)];

    // What only services complete that a host has not started yet, it leads to when it goes on.
    private void AddServices((int Node, int Place) host, LateCompleters later, Lazy<LateCompleters> started)
    {
        foreach ((_, AwaitedItem awaited) in _awaited.Where(pair => IsWithoutAny(pair.Value) && !pair.Value.IsOrphan && later.MayComplete(pair.Key, pair.Value.IsOfType) != Later.Never && started.Value.MayComplete(pair.Key, pair.Value.IsOfType) == Later.Never))
            (awaited.By, awaited.IsForService) = ([host], true);
    }

    // Asking what time it is takes longer than most operations.
    private bool IsCut()
    {
        if (++_asked < AskedBetween)
            return _isCut;
        _asked = 0;
        return _isCut |= _limit.IsOver;
    }

    private bool IsWithoutAny(AwaitedItem awaited) => awaited is { IsOfUser: true, By.Count: 0 } && !_unknownTypes.Any(awaited.IsOfType);

    private Later LaterOf(ulong address, AwaitedItem awaited, Lazy<LateCompleters> later) => awaited.IsOrphan || awaited.IsForService ? Later.Never : _isSearched ? later.Value.MayComplete(address, awaited.IsOfType) : Later.Perhaps;

    private void Ask(int node, ModelColumns columns)
    {
        NodeRow row = _index.Nodes[node];
        ChainFrame? user;
        bool mayComplete;
        if (row.IsChain)
            (mayComplete, user) = ShapeOf(node);
        else if (row.Kind is not (NodeKind.Machine or NodeKind.Pooled) || graph.RunsOn(node) || table.IdOf(row) is var id && table[id].Machine is null)
            return;
        else
            (mayComplete, user) = (MayComplete(ChainFrame.OfMachine(id)), ChainFrame.OfMachine(id));
        if (_hostPlaces.Count > 0 && !row.IsChain && table.IdOf(row) is var host && _hostPlaces.Contains(host))
            _hosts.Add((node, host));
        if (user is { } place && AwaitedBy(node) is { IsOfUser: false } awaited)
            awaited.IsOfUser = AwaitsSource(place);
        if (!mayComplete)
            return;
        if (IsAtWork(node, columns))
            _atWork.Add(node);
        else
            AskAll(node);
    }

    // All frames of an operation or a thread's segment.
    private void AskAll(int node)
    {
        _asked += AskedWeight;
        if (node >= graph.Operations)
        {
            AskFrames(node, input.Segments[node - graph.Operations]);
            return;
        }
        NodeRow row = _index.Nodes[node];
        if (!row.IsChain)
        {
            int id = table.IdOf(row);
            if (DoesComplete(ChainFrame.OfMachine(id)))
                Add(node, id, reader.CompletedAt(table[id].Machine!, row));
            return;
        }
        bool doesAny = false;
        foreach (ChainFrame frame in frames.Of(node))
        {
            if (!CanComplete(frame.Place) || !DoesComplete(frame))
                continue;
            doesAny = true;
            foreach ((int place, Completed completed) in reader.CompletedAt(frames[frame]))
                Add(node, place, completed);
        }
        if (!doesAny && ShapeKeyOf(node) is > 0 and var shape)
            (_shapes[shape], _lastShape) = ((false, _shapes[shape].User), default);
    }

    // Chains of one shape have frames at the same places: a million of them are one question. Null where no frame is the user's.
    private (bool MayComplete, ChainFrame? User) ShapeOf(int node)
    {
        int shape = ShapeKeyOf(node);
        if (shape > 0 && shape == _lastShape.Shape)
            return _lastShape.Known;
        if (shape > 0 && _shapes.TryGetValue(shape, out (bool MayComplete, ChainFrame? User) known))
        {
            _lastShape = (shape, known);
            return known;
        }
        known = (false, null);
        foreach (ChainFrame frame in frames.Of(node))
        {
            if (known.User is null && table[frame.Place].Point.Method is { IsUserBody: true })
                known.User = frame;
            known.MayComplete |= MayComplete(frame);
            if (CanComplete(frame.Place))
                _standing.UnionWith(frames.InlinedIn(frame).Select(inner => (inner.Frame.Module, inner.Frame.Facts.Token)));
        }
        if (shape > 0)
            _shapes[shape] = known;
        return known;
    }

    private int ShapeKeyOf(int node) => !graph.RunsOn(node) && !chains.IsCut(node) ? chains.KnownOf(node).Shape : -1;

    // Many in a row await the same.
    private AwaitedItem? AwaitedBy(int node)
    {
        if (graph.Awaits(node) >= 0 || EndAt(leaves.AwaitedAddress(node)) is not (not 0 and var address))
            return null;
        if (_last.Address != address)
            _last = (address, _awaited.GetValueOrDefault(address));
        return _last.Found;
    }

    private bool AwaitsSource(ChainFrame frame)
    {
        (int, int) key = (frame.Place, frame.Deeper);
        if (key == _lastSource.Frame)
            return _lastSource.Awaits;
        if (!_awaitsSource.TryGetValue(key, out bool awaits))
            _awaitsSource[key] = awaits = table[frame.Place].Machine is { } machine ? reader.AwaitsSource(machine) : reader.AwaitsSource(frames[frame]);
        _lastSource = (key, awaits);
        return awaits;
    }

    private void AskThread(int segment, ModelColumns columns)
    {
        ThreadSegment all = input.Segments[segment];
        int node = graph.SegmentNode(segment);
        // Who disposes of a timer waits until its callbacks have returned.
        foreach (ulong promise in NotifiedBy(all).Where(_awaited.ContainsKey))
            (_awaited[promise].By, _awaited[promise].Callback) = ([(node, table.IdOf(all.Frames[0]))], node);
        if (IsAtWork(node, columns))
            _atWork.Add(node);
        else
            AskFrames(node, all);
    }

    private void AskFrames(int node, ThreadSegment all)
    {
        foreach (ThreadFrame frame in all.Frames.Where(frame => reader.CanComplete(frame.Method)))
        {
            int id = table.IdOf(frame);
            if (frame.Method.Facts is { } facts)
                _standing.Add((frame.Method.Module, facts.Token));
            Add(node, id, reader.CompletedAt(new RunningFrame(frame.Method, table.CallsOf(id, frame, reader), frame.Roots, all.Roots, null)));
        }
    }

    private IEnumerable<ulong> NotifiedBy(ThreadSegment segment)
        => segment.Frames.Where(frame => frame.Method.Facts?.DeclaringType.FullName == TimerCallbacks.TypeName).SelectMany(frame => frame.Roots).Distinct().Select(source.NotifiedBy).Where(notified => notified != 0);

    private bool CanComplete(int id)
    {
        if (!_canComplete.TryGetValue(id, out bool can))
        {
            _ = HostedServices.IsHost(table[id].Machine?.MoveNext?.Facts) && _hostPlaces.Add(id);
            _canComplete[id] = can = reader.CanComplete(table[id].Point) || reader.CanComplete(table[id].Machine);
            if (can && (table[id].Machine is { MoveNext: { } machine } ? machine : table[id].Point.Method is { Facts: { } facts } method ? new ModuleMethod(method.Module, facts) : null) is { } standing)
                _standing.Add(standing.Key);
        }
        return can;
    }

    // Whether the code behind the place does; whether the method can, is known.
    private bool DoesComplete(ChainFrame frame)
    {
        if (!_doesComplete.TryGetValue((frame.Place, frame.Deeper), out bool does))
            _doesComplete[(frame.Place, frame.Deeper)] = does = table[frame.Place].Machine is { } machine ? reader.DoesComplete(machine) : reader.DoesComplete(frames[frame]);
        return does;
    }

    // The code is only run if an operation has to be asked.
    private bool MayComplete(ChainFrame frame) => CanComplete(frame.Place) && _doesComplete.GetValueOrDefault((frame.Place, frame.Deeper), true);

    private void Add(int node, int place, Completed completed)
    {
        foreach (ulong item in completed.Objects)
        {
            if (_awaited.TryGetValue(item, out AwaitedItem? awaited) && node >= awaited.Callback && !awaited.By.Exists(one => one.Node == node))
                awaited.By.Add((node, place));
        }
        if (completed.Unknown.Count > 0)
            _unknown.Add((node, place, completed.Unknown));
        _unknownTypes.UnionWith(completed.Unknown);
    }

    private IEnumerable<ReplyRow> Rows(ulong address, AwaitedItem awaited, ModelColumns columns, Lazy<LateCompleters> later)
    {
        IReadOnlyList<(int Node, int Place)> all = WhoWould(address, awaited, columns);
        // The end of a timer's callbacks nothing else tells.
        if (awaited.Callback >= 0)
            return all.Select(one => new ReplyRow(address, one.Node, one.Place, 0, awaited.IsEvent ? Confidence.Likely : Confidence.Certain) { Kind = ReplyKind.Code });
        if (all.Count == 0 || LaterOf(address, awaited, later) is var other && other == Later.Surely)
            return [];
        // To a channel code may write that is called by name.
        bool isSure = awaited.IsOrphan || (other == Later.Never && awaited is { Queue: null, IsForService: false } && !Perhaps(awaited).Any());
        return all.Select(one => new ReplyRow(address, one.Node, one.Place, 0, isSure ? Confidence.Likely : Confidence.Possible) { Kind = ReplyKind.Code });
    }

    // One of them is enough, so all have to be known; who waits for it itself is not one. None if nothing can be said.
    private IReadOnlyList<(int Node, int Place)> WhoWould(ulong address, AwaitedItem awaited, ModelColumns columns)
    {
        if (awaited.Callback >= 0)
            return awaited.By.Exists(one => GoesOn(one.Node, columns)) ? [] : awaited.By;
        // Nothing but timers was asked of an event.
        if (awaited.IsEvent || awaited.By.Count == 0)
            return [];
        (int Node, int Place)[] by = [.. awaited.By.Concat(Perhaps(awaited).Where(one => !NeedsOneThatWaits(one.Node, address, columns))).Where(one => !WaitsFor(one.Node, address, columns)).Take(CandidateLimit + 1)];
        if (by.Length > CandidateLimit || by.Any(one => GoesOn(one.Node, columns)))
            return [];
        // Anybody may write to a channel or a pipe: all that is said is that who would write or complete it has to wait for its reader, or for what that does. Readers that pass messages to each other are idle.
        if (awaited.Queue is not null)
            return by.Length == 0 ? awaited.By.TrueForAll(one => !IsReader(one.Node, one.Place)) ? awaited.By : [] : awaited.IsOrphan || by.All(one => WaitsForSignal(one.Node, columns)) ? by : [];
        // Nobody but who waits for it itself: if that is so, it never comes. That is known of some already.
        return by.Length == 0 ? awaited.IsOrphan ? [] : awaited.By : awaited.By.Exists(one => by.Contains(one)) ? by : [];
    }

    private IEnumerable<(int Node, int Place)> Perhaps(AwaitedItem awaited)
        => _unknown.Where(one => one.Types.Any(awaited.IsOfType) && !awaited.By.Exists(known => known.Node == one.Node)).Select(one => (one.Node, one.Place));

    // It is the innermost method of the user's, so that it reads itself, and is not in a method that does.
    private bool IsReader(int node, int place) => Innermost(node) == node && (node >= graph.Operations || !_index.Nodes[node].IsChain || frames.InnermostPlaceOf(node) == place);

    private int Innermost(int node)
    {
        for (int i = 0; i < CallerLimit && node < graph.Operations && graph.Awaits(node) is >= 0 and var awaited && awaited != node && awaited < graph.Operations; i++)
            node = awaited;
        return node;
    }

    // For a promise, or for a semaphore that others release; or for room that somebody has to make who is known.
    private bool WaitsForSignal(int node, ModelColumns columns)
        => EndOf(node, columns) is var (awaited, reason)
            && ((_awaited.GetValueOrDefault(awaited) ?? _awaited.GetValueOrDefault(reason?.Resource ?? 0)) is { Queue: null } || (reason is not null && columns.Facts.Replies.Any(row => row.IsRoom && row.Promise == reason.Resource)));

    private bool WaitsFor(int node, ulong address, ModelColumns columns) => EndOf(node, columns) is var (awaited, reason) && (awaited == address || reason?.Resource == address);

    // The same of all of several operations: it waits for what one of them waits for.
    private bool NeedsOneThatWaits(int node, ulong address, ModelColumns columns, int depth = 0)
        => (graph.IsCombinator(node) ? node : graph.Awaits(Innermost(node))) is >= 0 and var all && graph.IsCombinator(all) && !graph.NeedsAny(all) && depth < PartsDepth && (graph.LeavesOf(all).Any(leaf => EndAt(leaf) == address)
            || graph.PartsOf(all).Take(CandidateLimit).Any(part => WaitsFor(part, address, columns) || NeedsOneThatWaits(part, address, columns, depth + 1)));

    // What does not depend on anything here, or is at work: it will get there.
    private bool GoesOn(int node, ModelColumns columns) => GoesOn(node, EndOf(node, columns).Reason);

    private bool GoesOn(int node, WaitReason? reason)
        => (reason is { Kind: WaitKind.Timer or WaitKind.Socket or WaitKind.Native or WaitKind.Process } && !_answeredHere.Contains(reason.Resource)) || (node < graph.Operations ? reason is { EndsByItself: true } : input.Segments[node - graph.Operations].BlockedBy is null);

    // It goes on, and waits for nothing that is asked about.
    private bool IsAtWork(int node, ModelColumns columns) => EndOf(node, columns) is var end && GoesOn(node, end.Reason) && !IsAsked(end);

    private bool IsAsked((ulong Awaited, WaitReason? Reason) end) => _awaited.ContainsKey(end.Awaited) || (end.Reason is not null && _awaited.ContainsKey(end.Reason.Resource));

    // What it waits for in the end: an operation by its innermost one, a thread by what it blocks for.
    private (ulong Awaited, WaitReason? Reason) EndOf(int node, ModelColumns columns)
        => node >= graph.Operations ? (0, columns.Facts.Blocked.GetValueOrDefault(node)) : leaves.AwaitedAddress(Innermost(node)) is var awaited ? (EndAt(awaited), columns.Reasons.GetValueOrDefault(awaited)) : default;

    // What WaitAsync waits for.
    private ulong EndAt(ulong awaited) => _ends.GetValueOrDefault(awaited, awaited);
}
