using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Reads why awaited objects have not completed, each object once. Of very many objects only some are read, and a problem says so:
/// nobody needs the due time of each of a million timers.
/// </summary>
internal sealed class ReasonColumn(IStackSource source, ProblemLog problems)
{
    /// <summary>So many objects are asked at most.</summary>
    public const int Limit = 100_000;

    private readonly Dictionary<ulong, WaitReason> _known = [];
    private readonly HashSet<ulong> _asked = [];
    private readonly List<TimerRow> _timers = [];
    private readonly Dictionary<ulong, ulong> _ends = [];
    private readonly WaitTrail _trail = new();
    private ulong _last;

    /// <summary>Timers that end the waits that were asked, by what is awaited.</summary>
    public IReadOnlyList<TimerRow> Timers => _timers.Count == 0 ? [] : [.. _timers.OrderBy(row => row.Awaited).ThenBy(row => row.Timer)];

    /// <summary>What awaited objects stand for that say of no resource.</summary>
    public IReadOnlyList<EndRow> Ends => _ends.Count == 0 ? [] : [.. _ends.OrderBy(row => row.Key).Select(row => new EndRow(row.Key, row.Value))];

    /// <summary>What one of them stands for; 0 for none.</summary>
    public ulong EndOf(ulong awaited) => _ends.GetValueOrDefault(awaited);

    /// <summary>Whether it was asked why an object has not completed, and not one of too many.</summary>
    public bool WasAsked(ulong address) => _asked.Contains(address);

    /// <summary>What was found, by address.</summary>
    public IReadOnlyDictionary<ulong, WaitReason> Reasons => _known;

    /// <summary>Asks what is waited for by stacks, and by combinators where no stack says it.</summary>
    public ReasonColumn Read(RowList<StackRow> rows, AsyncGraph graph)
    {
        long left = 0;
        for (int i = 0; i < rows.Count; i++)
        {
            if (rows[i].WaitAddress is not 0 and var address && !Ask(address))
                left++;
        }
        for (int combinator = graph.Count; combinator < graph.Size; combinator++)
        {
            foreach (ulong leaf in graph.LeavesOf(combinator))
                left += Ask(leaf) ? 0 : 1;
        }
        if (left > 0)
            problems.Add(ProblemCodes.WaitsNotAsked, FormattableString.Invariant($"{Limit:N0} different objects are waited for, and details of {left:N0} more were not read: of these only the called method is known"));
        AddOtherEnds(WaitAction.Receive);
        AddOtherEnds(WaitAction.Send);
        return this;
    }

    // A program that is connected with itself. What a token may end that is to be cancelled at some time, ends by itself.
    private void AddOtherEnds(WaitAction action)
    {
        (ulong, ulong)[] waiting = [.. _known.Where(pair => pair.Value is { Kind: WaitKind.Socket, Resource: not 0, EndsByItself: false } reason && reason.Action == action).Select(pair => (pair.Key, pair.Value.Resource))];
        if (waiting.Length < 2)
            return;
        foreach ((ulong operation, ulong other) in source.OtherEnds(waiting, areSending: action == WaitAction.Send))
            _known[operation] = _known[operation] with { Shared = [.. _known[operation].Shared, new(WaitFactKey.OtherEnd, (long)other)] };
    }

    // Many stacks in a row wait for the same object.
    private bool Ask(ulong address)
    {
        if (address == _last || _asked.Contains(address))
            return true;
        if (_asked.Count >= Limit)
            return false;
        _asked.Add(address);
        _last = address;
        if (source.ReasonOf(address, _trail) is { } reason)
            _known[address] = reason;
        foreach (ulong timer in _trail.Timers)
            _timers.Add(new(address, timer));
        if (_trail.End != 0 && !(_known.TryGetValue(address, out WaitReason? known) && known.Resource != 0))
            _ends[address] = _trail.End;
        _trail.Clear();
        return true;
    }
}
