using System.Runtime.CompilerServices;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses.Ages;

/// <summary>
/// Since when stacks wait, as far as the target's memory proves it: exactly where a timer was made for this very wait, else between bounds, each with
/// its clock. A pure function of the model; nothing is computed before somebody asks, and then only for what is asked.
/// </summary>
internal sealed class WaitAges
{
    // The machine's clock was asked before or after the target stopped.
    private const long Grace = 100;

    private static readonly ConditionalWeakTable<AsyncModel, WaitAges> Known = [];

    private readonly AsyncModel _model;
    private readonly AgeFacts _facts;
    private readonly HeapOrder _order;
    private readonly ulong[] _promises;
    private readonly int[] _timers;

    // Only where to look first: several threads may ask the same model.
    private int _last = -1;

    private WaitAges(AsyncModel model)
    {
        _model = model;
        _facts = model.Facts.Ages;
        _order = new HeapOrder(_facts, model.Facts.Generations);
        _promises = [.. _facts.Promises];
        _timers = [.. Enumerable.Range(0, _promises.Length)];
        Array.Sort(_promises, _timers);
    }

    /// <summary>Those of a model; null if nothing in it has a time.</summary>
    public static WaitAges? Of(AsyncModel model) => model.Facts.Ages.Now == 0 ? null : Known.GetValue(model, known => new(known));

    /// <summary>For how long a stack has waited for what it waits for; null for one that does not wait, or of which nothing is known.</summary>
    /// <param name="stack">Its number.</param>
    public StackAge? OfStack(int stack)
    {
        StackRow row = _model.Stacks.Rows[stack];
        if (row.State is not (StackState.Awaiting or StackState.Deadlocked) || (row.Flags & StackFlags.IsTask) != 0)
            return null;
        if (row.WaitAddress != 0 && MadeFor(row.WaitAddress) is { } start)
            return Exactly(start);
        (ulong frame, bool isNew) = InnermostOf(stack);
        return NoOlder(frame == 0 ? null : Between(frame, isNew), stack);
    }

    /// <summary>For how long a frame has been suspended; null if nothing is known of that.</summary>
    /// <param name="address">Address of its object, in a chain of continuations.</param>
    /// <param name="stack">Age of its stack: what it calls has waited no longer than it has itself.</param>
    public StackAge? OfFrame(ulong address, StackAge? stack)
    {
        if (!_facts.FramesAreNew || _model.Links.Find(address) < 0 || Between(address, isNew: true) is not { } own)
            return null;
        // Both are proved, so the bounds meet; clocks may differ by a step.
        return stack?.AtLeastMs > own.AtLeastMs ? own with { AtLeastMs = stack.AtLeastMs, Clock = stack.Clock, AtMostMs = own.AtMostMs is { } most ? Math.Max(most, stack.AtLeastMs) : null } : own;
    }

    private long? MadeFor(ulong promise)
    {
        // Stacks follow each other as their promises do.
        int next = _last + 1;
        int found = next < _promises.Length && _promises[next] == promise ? next : Array.BinarySearch(_promises, promise);
        _last = Math.Max(-1, found);
        return found >= 0 && _facts.Ticks[_timers[found]] <= _facts.Now + Grace ? _facts.Ticks[_timers[found]] : null;
    }

    // The object of a state machine was made when it first waited, which may be long ago.
    private (ulong Address, bool IsNew) InnermostOf(int stack)
    {
        int node = _model.Stacks.NodeOf(stack, 0);
        if (node >= _model.Nodes.Operations)
            return (0, false);
        // The entry of a semaphore's waiter is made for one wait, whatever waits.
        ulong awaited = _model.Stacks.Rows[stack].WaitAddress;
        if (!_facts.FramesAreNew || _model.Nodes.Kinds[node] != AsyncNodeKind.RuntimeAsync)
        {
            if (_model.Reasons.GetValueOrDefault(awaited) is { Kind: WaitKind.Semaphore } reason && reason.Resource != awaited)
                return (awaited, true);
        }
        if (_model.Nodes.Kinds[node] == AsyncNodeKind.StateMachine)
            return (_model.Nodes.Addresses[node], false);
        int position = _model.Nodes.Heads[node];
        for (int skip = _model.Stacks.ShapeOf(stack).Parts[0].Skip; skip > 0 && position >= 0; skip--)
            position = _model.Links.Next(position);
        return position < 0 ? (0, false) : (_model.Links.AddressOf(position), _facts.FramesAreNew && _model.Nodes.Kinds[node] == AsyncNodeKind.RuntimeAsync);
    }

    private StackAge Exactly(long start) => new(Since(start), AgeClock.Timer, 1) { AtMostMs = Since(start), AtMostClock = AgeClock.Timer };

    private StackAge? Between(ulong address, bool isNew)
    {
        (long? after, long? before) = _order.Of(address);
        long? least = isNew && before < _facts.Now ? Since(before.Value) : null, most = after > 0 ? Since(after.Value) : null;
        if (least is null && most is null)
            return null;
        return new(least ?? 0, least is null ? AgeClock.Neighbours : AgeClock.Collection, 1) { AtMostMs = most, AtMostClock = most is null ? null : AgeClock.Neighbours };
    }

    // What has begun in something is not older than that.
    private StackAge? NoOlder(StackAge? age, int stack)
    {
        if (!_facts.Starts.TryGetValue(stack, out StackStart start))
            return age;
        long most = Since(start.Tick - Grace);
        if (age is null)
            return new(0, start.Clock, 1) { AtMostMs = most, AtMostClock = start.Clock };
        // Both are proved, so the bounds meet; clocks may differ by a step.
        return age.AtMostMs <= most ? age : age with { AtMostMs = Math.Max(most, age.AtLeastMs), AtMostClock = start.Clock };
    }

    private long Since(long tick) => Math.Max(0, _facts.Now - tick);
}
