using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Reachability;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Loops that read a channel as their mailbox, and stand somewhere else for now: what lies in it, nobody takes out before they go on, what they have
/// taken out, nobody else answers (decision 46), and who waits for room in it waits for them (decision 50).
/// </summary>
internal sealed class MailboxColumn(StackInput input, AsyncGraph graph, ChainReader chains, SuspendedFrames frames, FrameTable table, HolderReader reader, WaitGates gates)
{
    // More are a crowd in which somebody goes on.
    private const int ReaderLimit = 64;

    // So many are not asked for what they have.
    private const int AskedLimit = 200_000;

    private readonly HeapIndex _index = input.Index;
    private readonly Mailboxes _mailboxes = reader.Mailboxes();
    private readonly Dictionary<ulong, List<Loop>> _byChannel = [];
    private readonly List<Loop> _full = [];

    // Channels that are full, and that nothing reads which was asked. Of a pipe, a stream may be read.
    private readonly List<ulong> _unread = [];
    private readonly Readers _channels = new(FrameUse.Reads), _pipes = new(FrameUse.Drains), _receivers = new(FrameUse.Receives), _feeders = new(FrameUse.Feeds);

    // Blocks of Dataflow for which somebody waits, those on which they hang, and who could do something to these.
    private readonly List<(ulong Awaited, ulong Block, Readers Users)> _blocks = [];
    private Loop[] _loops = [];

    /// <summary>Code that reads channels or pipes, or uses blocks.</summary>
    /// <param name="use">What it does.</param>
    private sealed class Readers(FrameUse use)
    {
        public FrameUse Use => use;

        public Dictionary<int, ModuleMethod[]> Methods { get; } = [];

        public HashSet<(LoadedModule Module, int Token)> Known { get; } = [];

        public OtherCode? Others { get; set; }

        /// <summary>What of it is used on threads.</summary>
        public HashSet<ulong> OnThreads { get; } = [];

        /// <summary>Some of it reads what is not known.</summary>
        public bool IsUnknown { get; set; }
    }

    // What keeps it from reading may be that its own channel is full.
    private sealed record Loop(int Node, int Place, ulong Channel, WaitGate? Wait, Readers Readers)
    {
        public WaitGate? Gate => Wait?.Awaited == Channel ? null : Wait;
    }

    /// <summary>Finds the only readers of mailboxes, and says in what they wait for that nobody else empties these.</summary>
    public void Find()
    {
        WaitGate[] full = [.. gates.Gates.Where(gates.IsForRoom)];
        bool hasPipes = full.Any(gate => _mailboxes.StandsFor(FrameUse.Drains, gate.Awaited) != 0);
        _blocks.AddRange(gates.Gates.SelectMany(BlocksBehind));
        if (full.Length == 0 && _blocks.Count == 0 && !(gates.Gates.Any(gate => gate.Kind == GateKind.Promise) && _index.Resources.Any(resource => _mailboxes.ItemsOf(resource) != 0)))
            return;
        foreach (Readers readers in (Readers[])[_channels, .. hasPipes ? [_pipes] : (Readers[])[], .. _blocks.Select(row => row.Users).Distinct()])
        {
            for (int node = 0; node < graph.Operations; node++)
                Ask(node, readers);
            // A thread that is about to read is not understood well enough to say that nobody does.
            if (input.Segments.Any(segment => Reads(segment, readers)))
                Forget(readers);
        }
        AskIterators(full);
        _loops = [.. _byChannel.Values.Where(loops => loops is [{ Gate: not null }] && loops[0].Readers == _channels && !_channels.OnThreads.Contains(loops[0].Channel)).Select(loops => loops[0])];
        foreach (WaitGate gate in full)
        {
            bool isOnThread = _channels.OnThreads.Contains(gate.Awaited) || _pipes.OnThreads.Contains(gate.Awaited);
            if (_mailboxes.ChannelOf(gate.Awaited) != 0 && !isOnThread && !_byChannel.ContainsKey(gate.Awaited))
                _unread.Add(gate.Awaited);
            if (isOnThread || !_byChannel.TryGetValue(gate.Awaited, out List<Loop>? readers) || readers.Count > ReaderLimit || !readers.TrueForAll(reader => reader.Wait is not null))
                continue;
            // Of several, each makes room: one that goes on is enough.
            _full.AddRange(readers);
            if (readers is [{ Wait: { } before }])
                gate.After = before;
        }
        foreach (Loop loop in _loops)
        {
            foreach (ulong kept in _mailboxes.KeptIn(loop.Channel))
                loop.Gate!.AddKept(kept);
        }
    }

    /// <summary>Who makes room in channels that are full.</summary>
    public IEnumerable<ReplyRow> Room()
        => _full.Select(loop => new ReplyRow(loop.Channel, loop.Node, loop.Place, loop.Channel, ConfidenceOf(loop)));

    private Confidence ConfidenceOf(Loop loop)
        => loop.Readers.IsUnknown || OthersOf(loop.Readers).MayUse(loop.Channel) ? Confidence.Possible : Confidence.Likely;

    /// <summary>Channels that have no room, and blocks whose items go nowhere, out of which no code takes anything that runs, is suspended, or finds them.</summary>
    /// <param name="orphans">Those of which more is known.</param>
    public IReadOnlyList<ulong> Nobodys(IReadOnlySet<ulong> orphans)
    {
        if (input.ThreadsWithoutRegisters.Count > 0)
            return [];
        ulong[] unread = Unused(_channels, [.. _unread.Where(channel => !orphans.Contains(channel))]);
        unread = [.. unread.Except(unread.Length == 0 ? [] : reader.KnownToFrameworks(unread))];
        // Nothing of a framework receives from a block of the program.
        HashSet<(ulong, Readers)> unused = [.. _blocks.GroupBy(row => row.Users, row => row.Block).SelectMany(rows => Unused(rows.Key, [.. rows.Distinct().Where(block => !IsUsed(block, rows.Key))]).Select(block => (block, rows.Key)))];
        return [.. unread.Concat(_blocks.GroupBy(row => row.Awaited).Where(rows => rows.All(row => unused.Contains((row.Block, row.Users)))).Select(rows => rows.Key)).Distinct().Order()];
    }

    private IEnumerable<(ulong Awaited, ulong Block, Readers Users)> BlocksBehind(WaitGate gate)
        => gates.FactsOf(gate).Where(fact => fact.Key is WaitFactKey.Unlinked or WaitFactKey.StillOpen).Select(fact => (gate.Awaited, (ulong)fact.Number, fact.Key == WaitFactKey.Unlinked ? _receivers : _feeders)).Distinct();

    private bool IsUsed(ulong block, Readers users) => users.OnThreads.Contains(block) || (_byChannel.TryGetValue(block, out List<Loop>? loops) && loops.Exists(loop => loop.Readers == users));

    // Each of these searches has a time of its own, so one after the other.
    private ulong[] Unused(Readers readers, ulong[] items)
    {
        if (items.Length == 0 || readers.IsUnknown)
            return [];
        LateCompleters later = reader.LateCompleters(new HashSet<(LoadedModule Module, int Token)>(), [.. Begun()]);
        OtherCode? others = later.IsWhole ? reader.OtherCode(readers.Use, readers.Known, later.Reaches) : null;
        items = [.. items.Where(item => others?.MayUse(item) == false)];
        return items.Length == 0 || reader.IteratorsMayUse(readers.Use) ? [] : items;
    }

    // All methods that are suspended or run: what they call may come, too.
    private IEnumerable<ModuleMethod> Begun()
        => table.Entries.Select(entry => entry.Machine is { MoveNext: { } machine } ? machine : MethodOf(entry.Point.Method)).Concat(input.Segments.SelectMany(segment => segment.Frames).Select(frame => MethodOf(frame.Method))).OfType<ModuleMethod>();

    private static ModuleMethod? MethodOf(AsyncMethod? method) => method is { Facts: { } facts } ? new(method.Module, facts) : null;

    private OtherCode OthersOf(Readers readers) => readers.Others ??= reader.OtherCode(readers.Use, readers.Known);

    private void Forget(Readers readers)
    {
        readers.IsUnknown = true;
        foreach (ulong channel in _byChannel.Where(pair => pair.Value[0].Readers == readers && readers != _receivers && readers != _feeders).Select(pair => pair.Key).ToArray())
            _byChannel.Remove(channel);
    }

    /// <summary>Who completes what nobody else can.</summary>
    /// <param name="shut">Waits that nothing ends as long as nobody but their readers takes anything out of mailboxes.</param>
    /// <param name="ended">Those of them that nothing ends in any case.</param>
    public IReadOnlyList<ReplyRow> Read(IReadOnlyList<WaitGate> shut, IReadOnlySet<ulong> ended)
    {
        Dictionary<ulong, WaitGate> promises = shut.Where(gate => gate.Kind == GateKind.Promise).ToDictionary(gate => gate.Awaited);
        var found = new Dictionary<ulong, (int Distance, ReplyRow Row)>();
        Loop[] stuck = [.. _loops.Where(loop => shut.Contains(loop.Gate!))];
        foreach (Loop loop in promises.Count == 0 ? [] : stuck)
            Note(_mailboxes.PromisesFrom([_mailboxes.ItemsOf(loop.Channel)]), loop, loop.Channel, ConfidenceOf(loop));
        HashSet<ulong> lying = [.. found.Keys];
        foreach (Loop loop in promises.Count == 0 ? [] : stuck)
            Note(TakenOutBy(loop.Node).Where(one => !lying.Contains(one.Promise) && promises.TryGetValue(one.Promise, out WaitGate? gate) && gate != loop.Gate), loop, 0, Confidence.Likely);
        return [.. found.Values.Select(one => one.Row).OrderBy(row => row.Promise)];

        void Note(IEnumerable<(ulong Promise, int Distance)> reached, Loop loop, ulong mailbox, Confidence confidence)
        {
            foreach ((ulong promise, int distance) in reached)
            {
                if (promises.ContainsKey(promise) && (!found.TryGetValue(promise, out (int Distance, ReplyRow Row) known) || distance < known.Distance))
                    found[promise] = (distance, new(promise, loop.Node, loop.Place, mailbox, ended.Contains(promise) ? Confidence.Certain : confidence));
            }
        }
    }

    private void Ask(int node, Readers readers)
    {
        NodeRow row = _index.Nodes[node];
        if (!row.IsChain)
        {
            if (row.Kind is NodeKind.Machine or NodeKind.Pooled && !graph.RunsOn(node) && table.IdOf(row) is var id && MayRead(id, readers) && table[id].Machine is { } machine)
                Add(node, id, reader.Used(readers.Use, machine, row), readers);
            return;
        }
        foreach (ChainFrame frame in frames.Of(node))
        {
            if (MayRead(frame.Place, readers))
                Add(node, frame.Place, reader.Used(readers.Use, frames[frame]), readers);
        }
    }

    // Who has an iterator that stands at a yield reads what that reads. Asked only where nobody else does.
    private void AskIterators(WaitGate[] full)
    {
        if (full.All(gate => _mailboxes.ChannelOf(gate.Awaited) is 0 || _byChannel.ContainsKey(gate.Awaited)) || reader.IteratorUses(FrameUse.Reads) is not { HasAny: true } iterators)
            return;
        _channels.IsUnknown |= graph.Operations > AskedLimit;
        for (int node = 0; node < Math.Min(graph.Operations, AskedLimit); node++)
        {
            if (_index.Nodes[node] is { IsChain: false } row)
                Add(node, table.IdOf(row), iterators.UsedBy(row.Address), _channels);
            foreach (ChainFrame frame in _index.Nodes[node].IsChain ? frames.Of(node) : [])
                Add(node, frame.Place, iterators.UsedBy(_index.Frames.AddressOf(frame.Frame)), _channels);
        }
    }

    private bool MayRead(int id, Readers readers)
    {
        if (!readers.Methods.TryGetValue(id, out ModuleMethod[]? methods))
        {
            readers.Methods[id] = methods = [.. reader.UsersAt(readers.Use, table[id].Point.Method).Concat(reader.UsersAt(readers.Use, table[id].Machine)).Distinct()];
            readers.Known.UnionWith(methods.Select(method => method.Key));
        }
        return methods.Length > 0;
    }

    private void Add(int node, int place, IEnumerable<ulong> read, Readers readers)
    {
        foreach (ulong item in read.Distinct())
        {
            ulong channel = _mailboxes.StandsFor(readers.Use, item);
            readers.IsUnknown |= channel == 0;
            if (channel == 0)
                continue;
            if (!_byChannel.TryGetValue(channel, out List<Loop>? loops))
                _byChannel[channel] = loops = [];
            if (!loops.Exists(loop => loop.Node == node && loop.Readers == readers))
                loops.Add(new(node, place, channel, gates.Before(node), readers));
        }
    }

    // It reads what is not known; of what is, it is one more reader.
    private bool Reads(ThreadSegment segment, Readers readers)
    {
        foreach (ThreadFrame frame in segment.Frames.Where(frame => reader.UsersOn(readers.Use, frame.Method).Any()))
        {
            var running = new RunningFrame(frame.Method, table.CallsOf(table.IdOf(frame), frame, reader), frame.Roots, segment.Roots, null);
            foreach (ulong channel in reader.Used(readers.Use, running).Select(item => _mailboxes.StandsFor(readers.Use, item)))
            {
                if (channel == 0)
                    return true;
                readers.OnThreads.Add(channel);
            }
        }
        return false;
    }

    // Promises to which it has a way, if it completes any from where it stands: one that only passes messages on answers none.
    private IEnumerable<(ulong Promise, int Distance)> TakenOutBy(int node)
        => CompletedBy(node).Any(known => known.Unknown.Any(text => !PromiseCalls.IsQueue(text)) || known.Objects.Any(item => !_mailboxes.IsQueue(item))) ? _mailboxes.PromisesFrom(FramesOf(node)) : [];

    // What it does from where it stands, and what those do that it awaits.
    private Completed[] CompletedBy(int node)
    {
        var seen = new HashSet<int>();
        var found = new List<Completed>();
        for (int at = node; at >= 0 && at < graph.Operations && seen.Add(at); at = graph.Awaits(at))
        {
            if (_index.Nodes[at] is { IsChain: false } row)
            {
                if (table.IdOf(row) is var id && table[id].Machine is { } machine && reader.CanComplete(machine) && reader.DoesComplete(machine))
                    found.Add(reader.CompletedAt(machine, row));
                continue;
            }
            foreach (SuspendedFrame frame in frames.Of(at).Select(frame => frames[frame]).Where(frame => reader.CanComplete(frame.Point) && reader.DoesComplete(frame)))
                found.AddRange(reader.CompletedAt(frame).Select(one => one.Completed));
        }
        return [.. found];
    }

    // Of the operation, and of those that it awaits.
    private IEnumerable<ulong> FramesOf(int node)
    {
        var seen = new HashSet<int>();
        for (int at = node; at >= 0 && at < graph.Operations && seen.Add(at); at = graph.Awaits(at))
        {
            if (!_index.Nodes[at].IsChain)
                yield return _index.Nodes[at].Address;
            for (int frame = _index.Nodes[at].IsChain ? chains.KnownHeadOf(at) : -1, steps = 0; frame >= 0 && steps < _index.Frames.Count; frame = _index.Frames.Next(frame), steps++)
                yield return _index.Frames.AddressOf(frame);
        }
    }
}

/// <summary>
/// Who makes room in a full block of Dataflow: the methods that handle its items, if it handles no more at once. Each gives back the room of its item when it is done, and nothing else
/// does (decision 68).
/// </summary>
internal sealed class BlockRoom(StackInput input, AsyncGraph graph, SuspendedFrames frames, FrameTable table, IStackSource source)
{
    private readonly HeapIndex _index = input.Index;

    /// <param name="reasons">Why awaited objects have not happened.</param>
    public IEnumerable<ReplyRow> Read(IReadOnlyDictionary<ulong, WaitReason> reasons)
    {
        var workers = reasons.Values.Where(IsFull).Select(reason => reason.Resource).Distinct().Where(block => source.WorkersOf(block) is not null).ToDictionary(block => block, _ => new List<(int Node, int Place)>());
        if (workers.Count == 0)
            return [];
        var waiters = new List<ulong>();
        for (int node = 0; node < graph.Operations; node++)
        {
            if (_index.Nodes[node].Awaiter == 0)
                continue;
            waiters.Clear();
            source.ReadAwaiters(_index.Nodes[node].Awaiter, waiters);
            foreach (ulong block in waiters.Select(source.BlockBehind).Distinct())
            {
                if (block != 0 && workers.TryGetValue(block, out List<(int Node, int Place)>? known))
                    known.Add((node, PlaceOf(node)));
            }
        }
        return workers.OrderBy(pair => pair.Key).Where(pair => pair.Value.Count == source.WorkersOf(pair.Key) && pair.Value.TrueForAll(one => one.Place >= 0))
            .SelectMany(pair => pair.Value.Select(one => new ReplyRow(pair.Key, one.Node, one.Place, pair.Key, Confidence.Likely)));
    }

    private static bool IsFull(WaitReason reason)
        => reason is { Kind: WaitKind.Channel, Action: WaitAction.Send, Resource: not 0 } && reason.Shared.Any(fact => fact is { Key: WaitFactKey.Items, Of: { } all } && fact.Number >= all);

    // The method that the block called: the outermost one.
    private int PlaceOf(int node)
    {
        NodeRow row = _index.Nodes[node];
        if (!row.IsChain)
            return row.Kind == NodeKind.Machine ? table.IdOf(row) : -1;
        return frames.Of(node).Select(frame => frame.Place).LastOrDefault(place => table[place].Point.Method is { IsUserBody: true }, -1);
    }
}
