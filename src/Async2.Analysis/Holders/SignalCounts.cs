using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Model;

namespace Async2.Analysis.Holders;

/// <summary>Events for which threads block, and which a number of signals sets, or one call: who will do that, as far as code tells.</summary>
/// <param name="threadOf">Managed id of the thread of a node; -1 for an operation.</param>
internal sealed class SignalCounts(Func<int, int> threadOf)
{
    private static readonly string[] Settable = ["ManualResetEventSlim", "ManualResetEvent", "AutoResetEvent", "EventWaitHandle"];

    private readonly HashSet<(LoadedModule Module, int Token)> _known = [];
    private readonly Dictionary<ulong, WaitReason> _events = [];
    private readonly HashSet<(int Thread, ulong Event)> _waiting = [];
    private readonly List<HolderRow> _rows = [];

    // Who sets an event, and it is not known which.
    private readonly List<(int Node, int Place, ulong Frame)> _setters = [];
    private readonly Dictionary<(LoadedModule Module, int Token), int> _running = [];
    private IReadOnlySet<ulong> _lost = new HashSet<ulong>();
    private bool _isUnknown;

    /// <summary>A thread blocks for such an event.</summary>
    public bool IsExpected => _events.Count > 0;

    /// <summary>A reason to block is such an event.</summary>
    public static bool Counts(WaitReason reason) => reason is { Kind: WaitKind.Event, Resource: not 0 } && MissingIn(reason) > 0;

    /// <summary>Notes the events for which threads block.</summary>
    /// <param name="blocked">Why they do, by node.</param>
    /// <param name="isForOne">A thread waits for nothing but that event.</param>
    /// <param name="lost">Events that nobody has but their waiters.</param>
    public void Expect(IReadOnlyDictionary<int, WaitReason> blocked, Func<int, bool> isForOne, IReadOnlySet<ulong> lost)
    {
        _lost = lost;
        foreach ((int node, WaitReason reason) in blocked.Where(pair => Counts(pair.Value) && (!IsSettable(pair.Value) || isForOne(pair.Key))))
        {
            _events.TryAdd(reason.Resource, reason);
            _waiting.Add((threadOf(node), reason.Resource));
        }
    }

    /// <summary>Notes a method that a thread executes which was started for it.</summary>
    public void Run(LoadedModule module, int token) => _running[(module, token)] = _running.GetValueOrDefault((module, token)) + 1;

    /// <summary>Notes what a frame will do.</summary>
    /// <param name="node">Number of its operation or thread segment.</param>
    /// <param name="place">Number of its place.</param>
    /// <param name="frame">Its address.</param>
    /// <param name="used">What it uses, given which objects are meant.</param>
    /// <param name="users">Methods that use something in a way, among its own and those that it calls.</param>
    public void Add(int node, int place, ulong frame, Func<FrameUse, Func<ulong, ulong>, IEnumerable<ulong>> used, Func<FrameUse, IEnumerable<ModuleMethod>> users)
    {
        if (!IsExpected)
            return;
        ulong Expected(ulong held) => _events.ContainsKey(held) ? held : 0;
        Add(node, place, frame, used(FrameUse.Signals, Expected));
        ulong[] sets = [.. used(FrameUse.Sets, Expected)];
        Add(node, place, frame, sets);
        if (sets.Contains(0UL) && !_setters.Exists(row => row.Node == node))
            _setters.Add((node, place, frame));
        _known.UnionWith(users(FrameUse.Sets).Select(method => method.Key));
    }

    /// <summary>Notes what a frame will signal; who waits for an event has signalled it, and will only do so again afterwards.</summary>
    private void Add(int node, int place, ulong frame, IEnumerable<ulong> signalled)
    {
        foreach (ulong item in signalled.Distinct())
        {
            _isUnknown |= item == 0;
            if (_events.ContainsKey(item) && !_waiting.Contains((threadOf(node), item)) && !_rows.Exists(row => row.Node == node && row.Lock == item))
                _rows.Add(new HolderRow(node, place, frame, item, HolderClass.Owed, false));
        }
    }

    /// <summary>With who signals what. If more say so than are missing, some of them need not.</summary>
    /// <param name="holders">Of locks.</param>
    /// <param name="reader">Finds callbacks.</param>
    public HolderFacts AddTo(HolderFacts holders, HolderReader reader)
    {
        if (!IsExpected)
            return holders;
        var late = new Lazy<LateSignals>(() => reader.LateSignals(FrameUse.Signals, _running));
        var others = new Lazy<OtherCode>(() => reader.OtherCode(FrameUse.Sets, _known));
        ILookup<ulong, HolderRow> byEvent = _rows.Concat(BySetter(others)).ToLookup(row => row.Lock);
        LockRow[] events = [.. _events.Values.Select(reason => IsSettable(reason)
            // Anybody can set it at any time, so that nobody does is said of none; with one who will, it is in question whether only that one will.
            ? new LockRow(reason.Resource, 1, 0, LockUse.Unknown, _isUnknown || (byEvent[reason.Resource].Count() == 1 && others.Value.MayUse(reason.Resource)))
            : new LockRow(reason.Resource, MissingIn(reason), 0, !byEvent[reason.Resource].Any() && !_isUnknown && !late.Value.MayCome ? LockUse.GivenBack : LockUse.Unknown, _isUnknown))];
        return new HolderFacts([.. holders.Rows.Concat(events.Where(row => byEvent[row.Lock].Count() <= row.Out).SelectMany(row => byEvent[row.Lock])).OrderBy(row => row.Lock).ThenBy(row => row.Node)],
            [.. holders.Locks.Concat(events).OrderBy(row => row.Lock)], holders.Undecided);
    }

    // Of an event that nobody is known to set, the only thread or operation that sets one of which it is not known which: who serves a queue of requests does so.
    private HolderRow[] BySetter(Lazy<OtherCode> others)
        => _setters is not [var (node, place, frame)] ? []
            : [.. _events.Where(pair => IsSettable(pair.Value) && !_rows.Exists(row => row.Lock == pair.Key) && !_waiting.Contains((threadOf(node), pair.Key)) && !_lost.Contains(pair.Key) && !others.Value.Finds(pair.Key))
                .Select(pair => new HolderRow(node, place, frame, pair.Key, HolderClass.Owed, false))];

    private static bool IsSettable(WaitReason reason) => Settable.Contains(reason.Subject);

    private static int MissingIn(WaitReason reason)
    {
        if (IsSettable(reason))
            return reason.Shared.Any(fact => fact is { Key: WaitFactKey.Set, Number: not 0 }) ? 0 : 1;
        foreach (WaitFact fact in reason.Shared)
        {
            if (fact.Key is WaitFactKey.Missing or WaitFactKey.Arrived)
                return (int)Math.Clamp(fact.Key == WaitFactKey.Missing ? fact.Number : (fact.Of ?? 0) - fact.Number, 0, int.MaxValue - 1);
        }
        return 0;
    }
}
