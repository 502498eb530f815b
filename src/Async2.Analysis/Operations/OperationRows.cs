using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Operations;

/// <summary>What tells the stacks of one model apart, by their number.</summary>
internal sealed class OperationRows
{
    private readonly AsyncModel _model;
    private readonly Dictionary<ulong, long> _starts = [];
    private readonly bool _hasClock;

    /// <param name="model">The model.</param>
    /// <param name="hasClock">Both models know the target's tick when they were taken, so that timers tell waits apart.</param>
    public OperationRows(AsyncModel model, bool hasClock)
    {
        (_model, _hasClock) = (model, hasClock);
        AgeFacts ages = model.Facts.Ages;
        for (int i = 0; i < ages.Promises.Length; i++)
            _starts[ages.Promises[i]] = ages.Ticks[i];
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            if (model.Stacks.Rows[stack] is { State: not StackState.Completed } row && (row.Flags & (StackFlags.IsPlainThread | StackFlags.IsTask)) == 0)
                Stacks.Add(stack);
        }
    }

    /// <summary>Stacks that are compared: no completed tasks, nor threads without async code.</summary>
    public List<int> Stacks { get; } = [];

    /// <summary>Key of a stack: its frames and the kind of its wait.</summary>
    public string KeyOf(int stack) => _model.KeyOf(stack);

    /// <summary>The same with what tells equal stacks apart, as far as it was read: of one operation it is the same as long as it waits.</summary>
    /// <param name="stack">Its number.</param>
    /// <param name="hasValues">Both models have numbers for the variables of frames.</param>
    public string IdentityOf(int stack, bool hasValues)
    {
        if (!hasValues)
            return KeyOf(stack);
        uint value = stack < _model.Facts.Values.Length ? _model.Facts.Values[stack] : 0;
        IEnumerable<string> labels = _model.Facts.Labels.Of(stack).Where(IsOwn).Select(label => $"{label.Name}={label.Value}");
        return $"{KeyOf(stack)} {value} {string.Join(' ', labels)}";
    }

    // Ids do not depend on how much of people's data was to be shown, nor do the program's own values where there are numbers for variables.
    private static bool IsOwn(StackLabel label)
        => label.Source != LabelSource.Caller && (label.Name is LabelNames.Trace or LabelNames.Span or LabelNames.RequestId || label.Name.Contains('.', StringComparison.Ordinal));

    /// <summary>Numbers for the variables of frames were read.</summary>
    public bool HasValues => _model.Facts.Values.Length > 0;

    /// <summary>Managed id of the thread whose frames are innermost; null for a suspended operation.</summary>
    public int? ThreadOf(int stack) => _model.Nodes.ThreadOf(_model.Stacks.NodeOf(stack, 0));

    /// <summary>Address of the innermost operation: a task, or the box of a state machine. It stays the same from await to await.</summary>
    public ulong OperationOf(int stack) => _model.Nodes.Addresses[_model.Stacks.NodeOf(stack, 0)];

    /// <summary>Address of the outermost operation, which began it all; 0 for a thread.</summary>
    public ulong OutermostOf(int stack) => _model.Nodes.Addresses[_model.Stacks.NodeOf(stack, _model.Stacks.NodeCount(stack) - 1)];

    /// <summary>Address of what the innermost frame was suspended in, another one for each await; 0 where there is no such object.</summary>
    public ulong SuspensionOf(int stack)
    {
        int node = _model.Stacks.NodeOf(stack, 0);
        return node < _model.Nodes.Operations && _model.Nodes.Heads[node] is >= 0 and var head ? _model.Links.AddressOf(head) : 0;
    }

    /// <summary>Address of what it waits for: of the lock of a thread that blocks for one. 0 if unknown.</summary>
    public ulong WaitOf(int stack) => _model.Facts.Blocked.GetValueOrDefault(_model.Stacks.NodeOf(stack, 0))?.Resource ?? _model.Stacks.Rows[stack].WaitAddress;

    /// <summary>Address of what its last await made, as far as is known: the suspension, or what it waits for.</summary>
    public ulong LatestOf(int stack) => SuspensionOf(stack) is not 0 and var suspension ? suspension : _model.Stacks.Rows[stack].WaitAddress;

    /// <summary>Address of what it waits for, where each wait has another one: a timer's promise, a place in a semaphore's queue. 0 otherwise.</summary>
    public ulong NewWaitOf(int stack)
        => DueOf(stack) is not null || _model.Stacks.WaitOf(stack)?.Kind is WaitKind.Semaphore or WaitKind.Timer ? _model.Stacks.Rows[stack].WaitAddress : 0;

    /// <summary>When the timer was made whose promise it waits for, by the target's own tick; null if it waits for something else. Dumps have it, too.</summary>
    public long? StartOf(int stack) => _starts.TryGetValue(_model.Stacks.Rows[stack].WaitAddress, out long start) ? start : null;

    /// <summary>All timers that were made for one wait: their addresses, and when they were made.</summary>
    public IEnumerable<(ulong Address, long Tick)> Timers => _model.Facts.Ages.Timers.Zip(_model.Facts.Ages.Ticks);

    /// <summary>A thread executes it.</summary>
    public bool IsActive(int stack) => _model.Stacks.Rows[stack].State == StackState.Active;

    /// <summary>The outermost place: where the operation began.</summary>
    public string RootOf(int stack) => _model.Places[_model.Stacks.ShapeOf(stack).Places[^1]].Frame.Method;

    /// <summary>The moment at which the timer of its wait is due, by the target's own tick, in milliseconds; null without a timer, or if it repeats.</summary>
    public long? DueOf(int stack)
    {
        if (!_hasClock || _model.Target.Tick is not { } now)
            return null;
        long? due = null;
        for (WaitReason? reason = _model.Reasons.GetValueOrDefault(_model.Stacks.Rows[stack].WaitAddress); reason is not null; reason = reason.Behind)
        {
            foreach (WaitFact fact in reason.Own)
            {
                if (fact.Key == WaitFactKey.Period)
                    return null;
                if (fact.Key is WaitFactKey.DueIn)
                    due ??= now + fact.Number;
            }
        }
        return due;
    }

    /// <summary>The part of the heap in which an object lies, by its start; null where that is not known.</summary>
    public ulong? RangeOf(ulong address) => _model.Graph.RangeOf(address)?.Start;

    /// <summary>Orders objects by when they were made, as far as collections keep that: what is in an older generation, then what lies before.</summary>
    public ulong RankOf(ulong address) => ((ulong)(2 - (_model.Graph.GenerationOf(address) ?? 0)) << 56) + address;

    /// <summary>It was made after the last collection.</summary>
    public bool IsYoung(ulong address) => _model.Graph.GenerationOf(address) == 0;
}
