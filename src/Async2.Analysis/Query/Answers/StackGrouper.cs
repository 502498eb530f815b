using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Query.Answers;

/// <summary>
/// Groups equal stacks. Equal means: the same visible frames in the same state, waiting for the same; if that is another stack,
/// for one of the same group. The number of folded framework frames does not matter. Stacks that do not match
/// are part of the totals, but not of any group.
/// </summary>
internal sealed class StackGrouper
{
    // Placeholder for the number of an awaited group.
    private const int Itself = -1;

    private readonly AsyncModel _model;
    private readonly bool _coalesce;
    private readonly bool _includeFramework;
    private readonly Dictionary<StackKey, StackGroup> _groups = [];
    private readonly StackFingerprint[] _contents;
    private readonly Dictionary<string, int> _words = [];
    private readonly int[] _texts;
    private readonly int[] _fullTexts;
    private readonly List<StackGroup> _all = [];
    private readonly StackShape[] _shapes;
    private readonly int[] _groupOfNode;
    private readonly GroupKey? _grouping;
    private StackGroup? _lastGroup;
    private (ulong Address, StackState State, ulong Shared) _lastWait;

    /// <param name="model">Has the stacks.</param>
    /// <param name="coalesce">Equal stacks are one group.</param>
    /// <param name="includeFramework">Frames of frameworks are shown.</param>
    /// <param name="grouping">Stacks with different labels of this kind are not equal; null for none.</param>
    public StackGrouper(AsyncModel model, bool coalesce, bool includeFramework, GroupKey? grouping = null)
    {
        (_model, _coalesce, _includeFramework) = (model, coalesce, includeFramework);
        _grouping = grouping is { IsOfLabels: true } ? grouping : null;
        _shapes = [.. model.Stacks.Shapes];
        _contents = new StackFingerprint[_shapes.Length];
        _texts = [.. model.Stacks.Waits.Select(wait => NumberOf(wait.Text))];
        _fullTexts = [.. model.Stacks.Waits.Select(wait => NumberOf(wait.FullText))];
        _groupOfNode = new int[model.Nodes.Count];
    }

    /// <summary>All stacks, matching or not.</summary>
    public StackCount Total { get; private set; }

    /// <summary>The matching stacks.</summary>
    public StackCount Wanted { get; private set; }

    /// <summary>Adds the next stack of the model.</summary>
    public void Add(int stack, bool isWanted)
    {
        StackRow row = _model.Stacks.Rows[stack];
        ref StackFingerprint content = ref _contents[row.Shape];
        if (content == default)
            content = ContentOf(_shapes[row.Shape]);
        if (content.Length == 0)
            return;
        StackGroup group = GroupOf(new StackKey(content, row.State, WaitIdOf(row), AwaitedGroup(stack, row), row.Idle, (row.Flags & StackFlags.IsTask) != 0, SharedBy(stack, row), LabelOf(stack)));
        Total = Total.With(content.Length, row.Idle != 0);
        if (isWanted)
        {
            Wanted = Wanted.With(content.Length, row.Idle != 0);
            group.Members.Add(stack);
        }
        for (int i = row.FirstNode, end = i + _shapes[row.Shape].Parts.Length; i < end; i++)
            _groupOfNode[_model.Stacks.Nodes[i]] = group.Order + 1;
    }

    /// <summary>The groups that are shown. Called once, after all stacks were added.</summary>
    public IReadOnlyList<StackGroup> Finish()
    {
        Total = Total with { Groups = _all.Count };
        var shown = new List<StackGroup>();
        var alike = new Dictionary<StackKey, StackGroup>();
        foreach (StackGroup group in _all)
        {
            if (group.Members.Count == 0)
                continue;
            // Groups that differ only in what they wait for, and that is not shown, are equal.
            StackKey key = group.Key with { AwaitedGroup = ShownNumber(group.Key.AwaitedGroup) };
            if (_coalesce && alike.TryGetValue(key, out StackGroup? first))
            {
                foreach (int member in group.Members)
                    first.Members.Add(member);
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

    /// <summary>The group that contains a node; null for a node without frames or outside the answer.</summary>
    public StackGroup? GroupOf(int node) => _groupOfNode[node] is > 0 and var number ? _all[number - 1].ShownAs : null;

    private StackGroup GroupOf(StackKey key)
    {
        // Equal stacks usually follow each other.
        if (_coalesce && _lastGroup is { } last && last.Key == key)
            return last;
        if (!_coalesce || !_groups.TryGetValue(key, out StackGroup? group))
        {
            group = new StackGroup(key, _all.Count);
            _all.Add(group);
            _groups[key] = group;
        }
        return _lastGroup = group;
    }

    // Two bodies of one method look the same; and there may be more frames than objects, or fewer.
    private StackFingerprint ContentOf(StackShape shape)
    {
        var signature = new StackSignature();
        var frames = new ShownFrames(shape, _model.Places, _includeFramework);
        while (frames.MoveNext())
            signature.Add(_model.Places[shape.Places[frames.Current]].Same);
        return signature.Value;
    }

    // Waiters of one lock belong together, separate from waiters of another one.
    private int WaitIdOf(in StackRow row)
        => row.Wait < 0 ? 0 : (row.Flags & StackFlags.IsHeld) != 0 && row.State != StackState.Deadlocked ? _fullTexts[row.Wait] : _texts[row.Wait];

    // Different semaphores are never one group, even with equal text. A cycle is identified by its methods, and an idle loop waits for nothing.
    private ulong SharedBy(int stack, in StackRow row)
    {
        if (row.Idle != 0 || row.State == StackState.Deadlocked || row.WaitAddress == 0)
            return 0;
        // Thousands wait for one thing, one after the other.
        if (_lastWait.Address != row.WaitAddress || _lastWait.State != row.State)
            _lastWait = (row.WaitAddress, row.State, _model.ResourceOf(stack) is { IsShared: true } resource ? resource.Address : 0);
        return _lastWait.Shared;
    }

    // A group outside a cycle has been added before; a cycle waits for itself.
    private int AwaitedGroup(int stack, in StackRow row)
    {
        int node = _model.WaitsForNode(stack);
        return node < 0 || ((row.Flags & StackFlags.IsHeld) != 0 && row.State != StackState.Deadlocked) ? 0 : row.State == StackState.Deadlocked ? Itself : _groupOfNode[node];
    }

    private int LabelOf(int stack)
        => _grouping is { } grouping && grouping.Of(name => _model.Facts.Labels.Find(stack, name)) is { } label ? NumberOf(label) : 0;

    private int ShownNumber(int awaited) => awaited <= 0 ? awaited : _all[awaited - 1].ShownAs is { } shown ? shown.Order + 1 : 0;

    private int NumberOf(string text)
    {
        if (!_words.TryGetValue(text, out int number))
            _words[text] = number = _words.Count + 1;
        return number;
    }
}

/// <summary>How many of something.</summary>
/// <param name="Stacks">Stacks.</param>
/// <param name="Frames">Frames of these stacks.</param>
/// <param name="Groups">Their number of groups.</param>
/// <param name="Idle">The number of idle loops among them.</param>
internal readonly record struct StackCount(long Stacks, long Frames, int Groups, long Idle)
{
    public StackCount With(int frames, bool isIdle) => this with { Stacks = Stacks + 1, Frames = Frames + frames, Idle = Idle + (isIdle ? 1 : 0) };

    /// <summary>The form used by an answer.</summary>
    public SnapshotTotals Totals => new(Stacks, Frames, Groups) { Idle = Idle };
}

/// <summary>Equal stacks of a model.</summary>
/// <param name="key">What they have in common.</param>
/// <param name="order">Order of discovery.</param>
internal sealed class StackGroup(StackKey key, int order)
{
    public StackKey Key { get; } = key;

    /// <summary>Order of discovery.</summary>
    public int Order { get; } = order;

    /// <summary>The matching stacks, by their numbers in the model.</summary>
    public RowList<int> Members { get; private set; } = new();

    /// <summary>The first of them, which is shown.</summary>
    public int First => Members[0];

    /// <summary>Puts the matching stacks in an order.</summary>
    public void Sort(Comparison<int> order)
    {
        int[] members = [.. Members];
        Array.Sort(members, order);
        Members = new();
        foreach (int member in members)
            Members.Add(member);
    }

    /// <summary>Its place in the answer, from 1.</summary>
    public int Number { get; set; }

    /// <summary>By which the answer shows it.</summary>
    public string Id => string.Create(CultureInfo.InvariantCulture, $"s{Number}");

    /// <summary>The group that represents this one in the answer; null if it is not shown.</summary>
    public StackGroup? ShownAs { get; set; }
}

/// <summary>What equal stacks have in common.</summary>
/// <param name="Frames">The <see cref="StackSignature"/> of its visible content.</param>
/// <param name="State">Their state.</param>
/// <param name="Wait">Number of the text for what they wait for.</param>
/// <param name="AwaitedGroup">Number of the group that they wait for; 0 for none.</param>
/// <param name="Idle">Number of the name of the idle loop that they are.</param>
/// <param name="IsTask">They are tasks without an async method.</param>
/// <param name="Resource">Address of the semaphore, lock or pool that they wait for; 0 if it does not distinguish stacks.</param>
/// <param name="Label">Number of the label by which the answer is grouped; 0 for none.</param>
internal readonly record struct StackKey(StackFingerprint Frames, StackState State, int Wait, int AwaitedGroup, short Idle, bool IsTask, ulong Resource, int Label);
