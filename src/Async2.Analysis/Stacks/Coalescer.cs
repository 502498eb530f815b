using Async2.Analysis.Model;
using Async2.Analysis.Stacks.Frames;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Collects drafts into groups of equal stacks; only the first of a group keeps its frames. Equal means: the same frames in the
/// same state, waiting for the same; where that is another stack, for one of the same group. How many frames of frameworks are folded
/// between them makes no difference. Stacks that are not wanted are part of the totals, and no group counts or keeps them.
/// </summary>
/// <param name="table">The frames.</param>
/// <param name="coalesce">Equal stacks are one group.</param>
/// <param name="nodeCount">How many nodes there are.</param>
/// <param name="isWanted">Whether a stack is shown; null when all are.</param>
/// <param name="idleName">Name of the idle loop that a stack is; null when nobody asks.</param>
internal sealed class Coalescer(FrameTable table, bool coalesce, int nodeCount, Predicate<StackDraft>? isWanted = null, Func<StackDraft, string?>? idleName = null)
{
    // In place of the number of an awaited group.
    private const int Itself = -1;

    private readonly Dictionary<StackKey, StackGroup> _groups = [];
    private readonly Dictionary<(ulong A, ulong B, int Length), (ulong A, ulong B, int Length)> _looks = [];
    private readonly Dictionary<string, int> _waits = [];
    private readonly List<StackGroup> _all = [];
    private readonly int[] _groupOfNode = new int[nodeCount];
    private ((ulong A, ulong B, int Length) Shape, (ulong A, ulong B, int Length) Looks) _last;
    private (string? Text, int Id) _lastWait;
    private StackGroup? _lastGroup;

    /// <summary>The answer will be searched: groups keep what is folded, and the tasks between their frames.</summary>
    public bool KeepsFolded { get; init; }

    /// <summary>All stacks, wanted or not.</summary>
    public StackCount Total { get; private set; }

    /// <summary>Those that are wanted.</summary>
    public StackCount Wanted { get; private set; }

    public void Add(StackDraft draft)
    {
        // Stacks that look alike mostly come one after the other.
        if (draft.Shape != _last.Shape || _last.Looks.Length == 0)
            _last = (draft.Shape, LooksOf(draft));
        (ulong A, ulong B, int Length) looks = _last.Looks;
        if (looks.Length == 0)
            return;
        StackGroup group = GroupOf(new StackKey(looks, draft.State, WaitOf(WordsOf(draft)), AwaitedGroup(draft), idleName?.Invoke(draft)));
        bool isIdle = group.Idle is not null;
        Total = Total.With(looks.Length, isIdle);
        if (isWanted is null || isWanted(draft))
        {
            Wanted = Wanted.With(looks.Length, isIdle);
            group.Add(draft, KeepsFolded);
        }
        foreach (StackPart part in draft.Parts)
            _groupOfNode[part.Node] = group.Order + 1;
    }

    /// <summary>The groups that are shown. Called once, when all stacks are there.</summary>
    public IReadOnlyList<StackGroup> Finish()
    {
        Total = Total with { Groups = _all.Count };
        var shown = new List<StackGroup>();
        var alike = new Dictionary<StackKey, StackGroup>();
        foreach (StackGroup group in _all)
        {
            if (group.Count == 0)
                continue;
            // Groups that differ only in what they wait for, and that is not shown, do not differ any more.
            StackKey key = group.Key with { AwaitedGroup = ShownNumber(group.Key.AwaitedGroup) };
            if (coalesce && alike.TryGetValue(key, out StackGroup? first))
            {
                first.Count += group.Count;
                group.ShownAs = first;
                continue;
            }
            alike[key] = group;
            group.ShownAs = group;
            shown.Add(group);
        }
        Wanted = Wanted with { Groups = shown.Count };
        return shown;
    }

    /// <summary>The group that shows a node; null for one without frames or that is not wanted.</summary>
    public StackGroup? GroupOf(int node) => _groupOfNode[node] is > 0 and var number ? _all[number - 1].ShownAs : null;

    private StackGroup GroupOf(StackKey key)
    {
        if (coalesce && _lastGroup is { } last && last.Key == key)
            return last;
        if (!coalesce || !_groups.TryGetValue(key, out StackGroup? group))
        {
            group = new StackGroup(key, _all.Count);
            _all.Add(group);
            _groups[key] = group;
        }
        return _lastGroup = group;
    }

    private (ulong A, ulong B, int Length) LooksOf(StackDraft draft)
    {
        if (!_looks.TryGetValue(draft.Shape, out var looks))
            _looks[draft.Shape] = looks = LooksOf(draft.Frames);
        return looks;
    }

    // Two bodies of one method look the same; and there may be more frames than objects, or fewer.
    private (ulong A, ulong B, int Length) LooksOf(List<StackFrame> frames)
    {
        var signature = new StackSignature();
        foreach (StackFrame frame in frames)
            signature.Add(table[frame.Id].Canonical);
        return signature.Value with { Length = frames.Count };
    }

    private int WaitOf(string? text)
    {
        if (text is null)
            return 0;
        if (ReferenceEquals(text, _lastWait.Text))
            return _lastWait.Id;
        if (!_waits.TryGetValue(text, out int id))
            _waits[text] = id = _waits.Count + 1;
        _lastWait = (text, id);
        return id;
    }

    // Those who wait for one lock belong together, and not with those who wait for another one.
    private static string? WordsOf(StackDraft draft)
        => draft is { IsHeld: true, State: not StackState.Deadlocked } ? draft.WaitingOn?.FullText : draft.WaitingOn?.Text;

    // What is waited for from outside has been added before; a circle waits for itself.
    private int AwaitedGroup(StackDraft draft)
        => draft.WaitsForNode < 0 || (draft.IsHeld && draft.State != StackState.Deadlocked) ? 0 : draft.State == StackState.Deadlocked ? Itself : _groupOfNode[draft.WaitsForNode];

    private int ShownNumber(int awaited) => awaited <= 0 ? awaited : _all[awaited - 1].ShownAs is { } shown ? shown.Order + 1 : 0;
}

/// <summary>How many of something.</summary>
/// <param name="Stacks">Stacks.</param>
/// <param name="Frames">Frames of all of them.</param>
/// <param name="Groups">Groups that they make.</param>
/// <param name="Idle">How many of the stacks are idle loops.</param>
internal readonly record struct StackCount(long Stacks, long Frames, int Groups, long Idle)
{
    public StackCount With(int frames, bool isIdle) => this with { Stacks = Stacks + 1, Frames = Frames + frames, Idle = Idle + (isIdle ? 1 : 0) };
}
