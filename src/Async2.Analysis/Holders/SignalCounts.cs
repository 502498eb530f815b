using Async2.Analysis.Model;

namespace Async2.Analysis.Holders;

/// <summary>Events that a number of signals sets, for which threads block: who will signal them, as far as code tells.</summary>
/// <param name="threadOf">Managed id of the thread of a node; -1 for an operation.</param>
internal sealed class SignalCounts(Func<int, int> threadOf)
{
    private readonly Dictionary<ulong, WaitReason> _events = [];
    private readonly HashSet<(int Thread, ulong Event)> _waiting = [];
    private readonly List<HolderRow> _rows = [];
    private bool _isUnknown;

    /// <summary>A thread blocks for such an event.</summary>
    public bool IsExpected => _events.Count > 0;

    /// <summary>A reason to block is such an event.</summary>
    public static bool Counts(WaitReason reason) => reason is { Kind: WaitKind.Event, Resource: not 0 } && MissingIn(reason) > 0;

    /// <summary>Notes the events for which threads block.</summary>
    public void Expect(IReadOnlyDictionary<int, WaitReason> blocked)
    {
        foreach ((int node, WaitReason reason) in blocked.Where(pair => Counts(pair.Value)))
        {
            _events.TryAdd(reason.Resource, reason);
            _waiting.Add((threadOf(node), reason.Resource));
        }
    }

    /// <summary>Notes what a frame will signal; who waits for an event has signalled it, and will only do so again afterwards.</summary>
    public void Add(int node, int place, ulong frame, IEnumerable<ulong> signalled)
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
        ILookup<ulong, HolderRow> byEvent = _rows.ToLookup(row => row.Lock);
        var late = new Lazy<LateSignals>(reader.LateSignals);
        LockRow[] events = [.. _events.Values.Select(reason => new LockRow(reason.Resource, MissingIn(reason), 0,
            !byEvent[reason.Resource].Any() && !_isUnknown && !late.Value.MayCome ? LockUse.GivenBack : LockUse.Unknown, _isUnknown))];
        return new HolderFacts([.. holders.Rows.Concat(events.Where(row => byEvent[row.Lock].Count() <= row.Out).SelectMany(row => byEvent[row.Lock])).OrderBy(row => row.Lock).ThenBy(row => row.Node)],
            [.. holders.Locks.Concat(events).OrderBy(row => row.Lock)], holders.Undecided);
    }

    private static int MissingIn(WaitReason reason)
    {
        foreach (WaitFact fact in reason.Shared)
        {
            if (fact.Key is WaitFactKey.Missing or WaitFactKey.Arrived)
                return (int)Math.Clamp(fact.Key == WaitFactKey.Missing ? fact.Number : (fact.Of ?? 0) - fact.Number, 0, int.MaxValue - 1);
        }
        return 0;
    }
}
