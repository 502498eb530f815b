using Async2.Analysis.Code.Locals;
using Async2.Analysis.Holders;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Layouts;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Finds who holds the semaphores that are waited for, and only if some are. Each place is asked once whether its code can hold anything; the
/// frames of those that can say which semaphore it is.
/// </summary>
internal sealed class HolderColumn(StackInput input, AsyncGraph graph, SuspendedFrames frames, FrameTable table, LeafReader leaves, HolderReader reader, IReadOnlyDictionary<ulong, WaitReason> reasons, ProblemLog problems)
{
    // Reading is bounded: a program with a million frames at one place must not wait for this.
    private readonly WorkLimit _limit = new(TimeSpan.FromSeconds(3));

    private const int CallerLimit = 64;
    private const int InnermostFrames = 4, LooksAtShape = 64;

    private readonly HeapIndex _index = input.Index;
    private readonly Dictionary<int, bool> _canHold = [];
    private readonly Dictionary<ulong, HashSet<int>> _kept = [];
    private readonly Dictionary<ulong, HashSet<int>> _givenBack = [];
    private readonly HashSet<ulong> _moving = [];
    private readonly Dictionary<ulong, OwnLockObject> _own = [];
    private readonly Dictionary<ulong, WaitReason> _ownReasons = [];
    private readonly Dictionary<ulong, LogicalFrame> _iterators = [];
    private readonly List<HolderRow> _rows = [];
    private readonly SignalCounts _signals = new(node => node < graph.Operations ? -1 : input.Segments[node - graph.Operations].ThreadId);
    private readonly Takers _takers = new(reader);
    private int _undecided;
    private int _asked;

    /// <summary>What is waited for by those who wait for a lock of the program's own making, by the promise that they await.</summary>
    public IReadOnlyDictionary<ulong, WaitReason> OwnReasons => _ownReasons;

    /// <summary>Async iterators that hold locks between two elements, by lock: where they stand.</summary>
    public IReadOnlyDictionary<ulong, LogicalFrame> Iterators => _iterators;

    /// <summary>Who makes room in collections for which threads block.</summary>
    public IReadOnlyList<ReplyRow> Room { get; private set; } = [];

    /// <summary>It is worth asking why a thread blocks.</summary>
    public static bool Counts(WaitReason reason) => SignalCounts.Counts(reason) || Takers.Counts(reason);

    /// <summary>Some of the stacks may wait for a lock of the program's own making.</summary>
    public bool MayHaveOwn(StackTable stacks)
    {
        var shapes = new HashSet<int>();
        // A million stacks of one shape mostly wait for the same kind of thing.
        int[] looked = new int[stacks.Shapes.Count];
        for (int i = 0; i < stacks.Rows.Count; i++)
        {
            int shape = stacks.Rows[i].Shape;
            if (looked[shape]++ < LooksAtShape && stacks.Rows[i].WaitAddress is not 0 and var address && reasons.GetValueOrDefault(address) is { Kind: WaitKind.Task, Resource: 0, Behind: null })
                shapes.Add(shape);
        }
        return shapes.SelectMany(shape => stacks.Shapes[shape].Places.Take(InnermostFrames)).Distinct().Any(place => reader.MayWaitForOwn(table[place].Point) || reader.MayWaitForOwn(table[place].Machine));
    }

    /// <param name="locks">Semaphores that are waited for, with what their waiters say of them.</param>
    /// <param name="blocked">Why threads block, by node.</param>
    /// <param name="lost">Things of which it is known that nobody but their waiters has them.</param>
    public HolderFacts Read(IReadOnlyDictionary<ulong, WaitReason> locks, IReadOnlyDictionary<int, WaitReason> blocked, IReadOnlySet<ulong> lost)
    {
        // Of several handles, one is enough.
        _signals.Expect(blocked, node => input.Segments[node - graph.Operations].BlockedBy?.Facts is { RawName: var name } && !BlockingCalls.IsForSeveral(name), lost);
        _takers.Expect(blocked.Values, lost);
        for (int node = 0; node < graph.Operations; node++)
        {
            if (++_asked % 64 == 0 && _limit.IsOver)
            {
                problems.Add(ProblemCodes.HoldersCutShort, FormattableString.Invariant($"who holds the semaphores that are waited for was not looked for to the end: {_index.Nodes.Length - node:N0} operations were not asked"));
                _undecided++;
                _takers.Cut();
                break;
            }
            Ask(node, locks);
        }
        for (int segment = 0; segment < input.Segments.Count; segment++)
            AskThread(segment, locks);
        Room = [.. _takers.Rows()];
        return _takers.AddTo(_signals.AddTo(Confirm(locks), reader));
    }

    private HolderFacts Confirm(IReadOnlyDictionary<ulong, WaitReason> locks)
    {
        Dictionary<ulong, WaitReason> all = WithOwn(locks);
        _rows.RemoveAll(row => !all.ContainsKey(row.Lock));
        HashSet<ulong> claimed = [.. _rows.GroupBy(row => row.Lock).Where(rows => !HolderCounts.IsAmbiguous(all[rows.Key], rows)).Select(rows => rows.Key)];
        // What is asked before a permit is called lost takes time.
        var later = new Lazy<LateReleasers>(reader.LateReleasers);
        LockUse UseIfLost(ulong address)
        {
            if (all[address].Kind == WaitKind.Channel)
                return HolderCounts.FreeIn(all[address]) is { Of: null } && !_moving.Contains(address) ? UseOf(address) : LockUse.Unknown;
            LockUse use = UseOf(address);
            if (use != LockUse.GivenBack || _undecided > 0 || claimed.Contains(address) || _moving.Contains(address) || !IsTaken(all[address]))
                return use;
            if (later.Value.MayRelease(address))
                return LockUse.Unknown;
            if (later.Value.IteratorWith(address) is not { } iterator)
                return use;
            _iterators[address] = iterator;
            return LockUse.Iterated;
        }
        HolderFacts facts = HolderCounts.Confirm([.. _rows.OrderBy(row => row.Lock).ThenBy(row => row.Node).ThenBy(row => row.Frame)], all, address => (UseIfLost(address), _moving.Contains(address)), _undecided);
        if (later is { IsValueCreated: true, Value.IsCut: true })
            problems.Add(ProblemCodes.HoldersCutShort, "no permit is called lost: what may release it later was not looked for to the end");
        return facts;
    }

    private static bool IsTaken(WaitReason reason) => reason.Kind == WaitKind.Semaphore && HolderCounts.FreeIn(reason) is { Number: 0 };

    // A helper that acquires keeps what its caller gives back. One whose caller has left says nothing where others do: it still waits.
    private LockUse UseOf(ulong address)
        => _kept.TryGetValue(address, out HashSet<int>? keepers) && keepers.Any(node => !IsGivenBack(node, address) && !(_givenBack.ContainsKey(address) && IsLeft(node, address))) ? LockUse.Kept
            : _givenBack.ContainsKey(address) ? LockUse.GivenBack
            : LockUse.Unknown;

    private bool IsGivenBack(int node, ulong address)
    {
        for (int i = 0; i < CallerLimit; i++)
        {
            if (_givenBack.TryGetValue(address, out HashSet<int>? nodes) && nodes.Contains(node))
                return true;
            if (graph.AwaitedBy(node) is not [var caller, ..] || caller >= graph.Operations)
                return false;
            node = caller;
        }
        return false;
    }

    private bool IsLeft(int node, ulong address) => node < graph.Operations && graph.AwaitedBy(node).Count == 0 && LockOf(node) == address;

    // What the innermost of the operations that it awaits waits for.
    private ulong LockOf(int node)
    {
        ulong resource = 0;
        for (WaitReason? reason = reasons.GetValueOrDefault(InnermostAwaited(node)); reason is not null; reason = reason.Behind)
            resource = reason.Kind is WaitKind.Semaphore or WaitKind.Channel && reason.Action != WaitAction.Completion ? reason.Resource : resource;
        return resource;
    }

    private ulong InnermostAwaited(int node)
    {
        for (int i = 0; i < CallerLimit && graph.Awaits(node) is >= 0 and var awaited && awaited != node && awaited < graph.Operations; i++)
            node = awaited;
        return leaves.AwaitedAddress(node);
    }

    // Who waits for one of the program's own making waits for a promise that stands in its queue.
    private Dictionary<ulong, WaitReason> WithOwn(IReadOnlyDictionary<ulong, WaitReason> locks)
    {
        var all = new Dictionary<ulong, WaitReason>(locks);
        foreach ((ulong address, OwnLockObject own) in _own)
        {
            foreach (ulong promise in own.Waiting.Where(reasons.ContainsKey))
            {
                _ownReasons[promise] = own.Reason;
                all[address] = own.Reason;
            }
        }
        return all;
    }

    private void Ask(int node, IReadOnlyDictionary<ulong, WaitReason> locks)
    {
        NodeRow row = _index.Nodes[node];
        if (!row.IsChain)
        {
            if (row.Kind is NodeKind.Machine or NodeKind.Pooled && !graph.RunsOn(node) && table.IdOf(row) is var id && CanHold(id) && table[id].Machine is { } machine)
            {
                ulong own = LockOf(node);
                FrameClaims claims = reader.At(machine, row, own);
                // Such code holds something for the program's method that it has called, and nothing else is asked of it.
                if (machine.IsFramework)
                {
                    (int Place, ulong Frame) called = CalledBy(node) ?? (id, row.Address);
                    Add(node, called.Place, called.Frame, claims, locks, own);
                    return;
                }
                Add(node, id, row.Address, claims, locks, own);
                _signals.Add(node, id, row.Address, (use, _) => reader.Used(use, machine, row), use => reader.UsersAt(use, machine));
                _takers.Add(node, id, (use, _) => reader.Used(use, machine, row), use => reader.UsersAt(use, machine));
            }
            return;
        }
        ulong? waitsFor = null;
        foreach (ChainFrame at in frames.Of(node))
        {
            if (!CanHold(at.Place))
                continue;
            waitsFor ??= LockOf(node);
            SuspendedFrame frame = frames[at];
            ulong address = _index.Frames.AddressOf(at.Frame);
            foreach ((int place, FrameClaims claims) in reader.At(frame, waitsFor.Value))
                Add(node, place, address, claims, locks, waitsFor.Value);
            _signals.Add(node, at.Place, address, (use, _) => reader.Used(use, frame), use => reader.UsersAt(use, frame.Point.Method));
            _takers.Add(node, at.Place, (use, _) => reader.Used(use, frame), use => reader.UsersAt(use, frame.Point.Method));
        }
    }

    // The outermost frame of the program's own among those that it awaits; null if there is none.
    private (int Place, ulong Frame)? CalledBy(int node)
    {
        for (int i = 0; i < CallerLimit && graph.Awaits(node) is >= 0 and var awaited && awaited != node && awaited < graph.Operations; i++)
        {
            node = awaited;
            NodeRow row = _index.Nodes[node];
            if (!row.IsChain)
            {
                if (row.Kind is NodeKind.Machine or NodeKind.Pooled && table.IdOf(row) is var id && table[id].Machine is { IsFramework: false })
                    return (id, row.Address);
                continue;
            }
            foreach (ChainFrame at in frames.Of(node).Reverse())
            {
                if (table[at.Place].Point.Method is { IsUserBody: true, Module.IsFramework: false })
                    return (at.Place, _index.Frames.AddressOf(at.Frame));
            }
        }
        return null;
    }

    private bool CanHold(int id)
    {
        if (!_canHold.TryGetValue(id, out bool can))
            _canHold[id] = can = reader.CanHold(table[id].Point) || reader.CanHold(table[id].Machine);
        return can;
    }

    private void AskThread(int segment, IReadOnlyDictionary<ulong, WaitReason> locks)
    {
        ThreadSegment all = input.Segments[segment];
        bool isOwnThread = all.Frames is [.., { Method.Facts: { RawName: "StartCallback", DeclaringType.FullName: "System.Threading.Thread" } }];
        foreach (ThreadFrame frame in all.Frames)
        {
            if (frame.Method.Facts is { } facts && (isOwnThread || (all.Task != 0 && ReferenceEquals(frame, all.Frames[^1]) && IsMadeEachTime(facts))))
                _signals.Run(frame.Method.Module, facts.Token);
            if (!reader.CanHold(frame.Method))
                continue;
            int id = table.IdOf(frame);
            FrameMemory? resumed = ResumedWith(all, frame);
            var running = new RunningFrame(frame.Method, table.CallsOf(id, frame, reader, resumed), frame.Roots, all.Roots, resumed);
            Add(graph.SegmentNode(segment), id, 0, reader.At(running), locks, waitsFor: null);
            _signals.Add(graph.SegmentNode(segment), id, 0, (use, isMeant) => reader.Used(use, running, isMeant), use => reader.UsersOn(use, frame.Method));
            _takers.Add(graph.SegmentNode(segment), id, (use, standsFor) => reader.Used(use, running, standsFor), use => reader.UsersOn(use, frame.Method));
        }
    }

    // Of a method that captures nothing the compiler keeps one delegate for all: a task that executes it does not use it up.
    private static bool IsMadeEachTime(MethodFacts method) => !method.IsStatic && method.DeclaringType.Path[^1].Split('`')[0] != SavedVariable.SharedClosureClass;

    // Only the outermost method of those that a thread executes for an operation was suspended before.
    private FrameMemory? ResumedWith(ThreadSegment segment, ThreadFrame frame)
        => _index.FindNode(segment.RunsIn) is not (>= 0 and var node) ? null
            : !_index.Nodes[node].IsChain ? reader.ResumedWith(_index.Nodes[node], frame.Method)
            : ReferenceEquals(frame, segment.Frames[^1]) && _index.FindFrame(segment.Continuation) is >= 0 and var kept ? reader.ResumedWith(table[table.IdOf(kept)].Point, _index.Frames.RowOf(kept), frame.Method)
            : null;

    private void Add(int node, int place, ulong frame, FrameClaims claims, IReadOnlyDictionary<ulong, WaitReason> locks, ulong? waitsFor)
    {
        _undecided += claims.IsWhole ? 0 : 1;
        foreach (LockClaim claim in claims.Claims)
        {
            OwnLockObject? own = locks.ContainsKey(claim.Lock) ? null : reader.OwnLockAt(claim.Lock);
            if ((own?.Reason ?? locks.GetValueOrDefault(claim.Lock)) is not { } known)
                continue;
            if (own is not null)
                _own.TryAdd(claim.Lock, own);
            if (claim.Class is { } holder)
            {
                // A way on which it might have been taken proves nothing of one who waits, unless the permits can be counted.
                if (claim.GivesBack && holder != HolderClass.Always && HolderCounts.FreeIn(known) is not { Of: not null })
                    continue;
                _rows.Add(new HolderRow(node, place, frame, claim.Lock, holder, false));
                continue;
            }
            Note(claim.GivesBack ? _givenBack : _kept, claim.Lock, node);
            // A permit is given to a waiter before that goes on.
            if (own is not null ? !own.Waiting.Contains(InnermostAwaited(node)) : waitsFor is { } wanted && wanted != claim.Lock)
                _moving.Add(claim.Lock);
        }
    }

    private static void Note(Dictionary<ulong, HashSet<int>> waiters, ulong address, int node)
    {
        if (!waiters.TryGetValue(address, out HashSet<int>? nodes))
            waiters[address] = nodes = [];
        nodes.Add(node);
    }
}
