using System.Runtime.CompilerServices;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Operations;

namespace Async2.Analysis.Analyses;

/// <summary>
/// What has moved between two looks at a process, and for how long the rest had stood before: a pure function of two models. Things are known again by their addresses. A collection changes
/// these, so what is not found at its address has moved only if it is new, which it is as long as it has survived no collection.
/// </summary>
internal sealed class Movement
{
    private static readonly ConditionalWeakTable<AsyncModel, Movement> Known = [];

    // Fewer are no crowd.
    private const int LeastWaiting = 10;

    private readonly AsyncModel _before;
    private readonly AsyncModel _now;

    // Of a file, which has numbers only; null where both models are there.
    private readonly StandingFacts? _saved;
    private readonly Dictionary<ulong, int> _operations = [];
    private readonly Dictionary<int, int> _threads = [];
    private StackPairs? _pairs;

    private Movement(AsyncModel before, AsyncModel now)
    {
        (_before, _now) = (before, now);
        for (int stack = 0; stack < before.StackCount; stack++)
        {
            int node = before.Stacks.NodeOf(stack, 0);
            if (before.Nodes.ThreadOf(node) is { } thread)
                _threads[thread] = stack;
            else
                _operations[before.Nodes.Addresses[node]] = stack;
        }
    }

    private Movement(AsyncModel now, StandingFacts saved) => (_before, _now, _saved) = (now, now, saved);

    /// <summary>How many looks there were.</summary>
    public int Looks => _now.Target.Looks ?? 2;

    /// <summary>Which stacks are the same operation: also after a collection, but there and then by what speaks for it and not by proof. Null if there is no earlier model.</summary>
    public StackPairs? Pairs => _saved is not null ? null : _pairs ??= StackPairs.Between(_before, _now, out _);

    // Between the last two looks.
    private long LastMs => Math.Max(0, (_now.Target.ApartMs ?? 0) - (_before.Target.ApartMs ?? 0));

    /// <summary>What has moved since a model's earlier look; null if there was one look.</summary>
    public static Movement? Of(AsyncModel model) => model.Earlier is { } earlier ? Known.GetValue(model, now => new(earlier, now))
        : model.Standing is { } saved ? Known.GetValue(model, now => new(now, saved)) : null;

    /// <summary>A stack: still if it stands in the same place and waits for the same object, which nobody uses twice.</summary>
    /// <param name="stack">Its number in the later model.</param>
    public Stillness OfStack(int stack)
    {
        if (_saved is not null)
            return _saved.Stacks[stack];
        (Motion motion, int before) = SinceLast(stack);
        return Joined(motion, before < 0 ? null : _before.Standing?.Stacks[before]);
    }

    /// <summary>All that the next look needs to know of those before it.</summary>
    public StandingFacts Standing()
    {
        if (_saved is not null)
            return _saved;
        var queues = new Dictionary<ulong, Stillness>();
        foreach ((int node, ulong address) in Queues(1))
            queues[address] = OfQueue(node);
        return new([.. Enumerable.Range(0, _now.StackCount).Select(OfStack)], queues, OfPool());
    }

    /// <summary>All that a file needs to know: with the progress of what many wait for, as its findings say it.</summary>
    public StandingFacts ForFile()
    {
        if (_saved is not null)
            return _saved;
        var progress = new Dictionary<ulong, QueueProgress>();
        foreach ((int node, ulong address) in Queues(LeastWaiting))
        {
            if (ProgressOf(node) is { } known)
                progress[address] = known;
        }
        return Standing() with { Progress = progress };
    }

    // What at least so many wait for.
    private IEnumerable<(int Node, ulong Address)> Queues(int least)
    {
        for (int node = 0; node < _now.Graph.Count; node++)
        {
            if (_now.Graph.KindOf(node) == AsyncNodeKind.Resource && _now.Graph.WaitersOf(node) >= least && _now.Graph[node].Address is not 0 and var address)
                yield return (node, address);
        }
    }

    /// <summary>How many stacks waited for something at the look before, and how many of them have gone on.</summary>
    /// <param name="node">Number in the later model of what is waited for.</param>
    /// <returns>Null if nobody waited, or what they waited for is not known again.</returns>
    public QueueProgress? ProgressOf(int node)
    {
        if (_saved is not null)
            return _saved.Progress.TryGetValue(_now.Graph[node].Address, out QueueProgress saved) ? saved : null;
        if (BeforeOf(node) is not (>= 0 and var before) || _before.Graph.StacksWaitingFor(before) is not { Length: > 0 } waited)
            return null;
        return new(waited.Length, waited.Count(stack => Pairs?.OfBefore(stack) is not { IsStuck: true }), LastMs);
    }

    // A collection moves it, but not its name.
    private int BeforeOf(int node)
    {
        GraphNode known = _now.Graph[node];
        int before = _before.Graph.Find(known.Address);
        if (before >= 0 && _before.Graph[before] is var same && same.Kind == known.Kind && same.Name == known.Name)
            return before;
        if (known.Name is null)
            return -1;
        int[] named = [.. Enumerable.Range(0, _before.Graph.Count).Where(other => _before.Graph.KindOf(other) == known.Kind && _before.Graph[other].Name == known.Name)];
        return named.Length == 1 ? named[0] : -1;
    }

    private Stillness Joined(Motion last, Stillness? before) => last != Motion.Still ? new(last, 1, 0, last == Motion.Moved || before is { HasMoved: true })
        : before is { Motion: Motion.Still } still ? new(Motion.Still, still.Looks + 1, still.Ms + LastMs, still.HasMoved)
        : new(Motion.Still, 2, LastMs, before is { HasMoved: true });

    private (Motion Motion, int Before) SinceLast(int stack)
    {
        int node = _now.Stacks.NodeOf(stack, 0);
        StackRow row = _now.Stacks.Rows[stack];
        if (row.State is StackState.Active or StackState.Scheduled or StackState.Completed)
            return (Motion.Moved, -1);
        // Of a thread in the system nothing says whether it is the same call.
        if (_now.Stacks.WaitOf(stack)?.Kind == WaitKind.Native)
            return (Motion.Unknown, -1);
        if (_now.Nodes.ThreadOf(node) is { } thread)
            return _threads.TryGetValue(thread, out int one) && IsSame(one, stack) && ResourceOf(_before, one) == ResourceOf(_now, stack) ? (Motion.Still, one) : (Motion.Moved, -1);
        if (!_operations.TryGetValue(_now.Nodes.Addresses[node], out int known))
            return (IsNew(_now.Nodes.Addresses[node]) ? Motion.Moved : Motion.Unknown, -1);
        if (!IsSame(known, stack))
            return (Motion.Moved, known);
        if (_before.Stacks.Rows[known].WaitAddress != row.WaitAddress)
            return (IsNew(row.WaitAddress) ? Motion.Moved : Motion.Unknown, known);
        // These objects serve several waits, one after the other.
        bool isUsedAgain = row.WaitAddress == 0 || _now.Stacks.WaitOf(stack)?.Kind is WaitKind.Channel or WaitKind.Pipe or WaitKind.Socket or WaitKind.Custom;
        return (isUsedAgain ? Motion.Unknown : Motion.Still, known);
    }

    /// <summary>
    /// A queue: still if who was the first of those who waited, waits. Who gives up leaves a queue, too, so others may be gone; where nobody
    /// knows who is first, all have to be there.
    /// </summary>
    /// <param name="node">Number in the later model of what is waited for.</param>
    public Stillness OfQueue(int node)
    {
        ulong address = node < 0 ? 0 : _now.Graph[node].Address;
        if (_saved is not null)
            return _saved.Queues.GetValueOrDefault(address);
        int before = node < 0 ? -1 : _before.Graph.Find(address);
        return Joined(QueueSinceLast(node, before), before >= 0 && _before.Standing is { } standing && standing.Queues.TryGetValue(address, out Stillness known) ? known : null);
    }

    private Motion QueueSinceLast(int node, int before)
    {
        int[] first = before < 0 ? [] : [.. First(before)];
        if (first.Length == 0)
            return Motion.Unknown;
        HashSet<(int Thread, ulong Address)> still = [];
        bool isSure = true;
        foreach (int stack in _now.Graph.StacksWaitingFor(node))
        {
            Motion motion = SinceLast(stack).Motion;
            isSure &= motion != Motion.Unknown;
            if (motion == Motion.Still)
                still.Add(IdentityOf(_now, stack));
        }
        int resting = first.Count(stack => still.Contains(IdentityOf(_before, stack)));
        // In a lock of the program's own making it is not known who is first: those who are gone may have given up.
        return resting == first.Length ? Motion.Still : isSure && !(resting > 0 && _now.Graph[node].ResourceKind == WaitKind.Semaphore) ? Motion.Moved : Motion.Unknown;
    }

    /// <summary>The thread pool: still if it took nothing from its queue, moved if less is queued.</summary>
    public Stillness OfPool() => _saved?.Pool ?? Joined(PoolSinceLast(), _before.Standing?.Pool);

    private Motion PoolSinceLast()
    {
        if (_now.Target.Pool is not { } pool || _before.Target.Pool is not { } before)
            return Motion.Unknown;
        return pool.Queued < before.Queued ? Motion.Moved
            : pool is { IsSinceProgressBound: false, SinceProgressMs: { } since } && since >= LastMs ? Motion.Still : Motion.Unknown;
    }

    private bool IsSame(int before, int now)
        => _before.Stacks.Rows[before].State == _now.Stacks.Rows[now].State && _before.KeyOf(before) == _now.KeyOf(now);

    // What has survived no collection has not been moved by one.
    private bool IsNew(ulong address) => _now.Graph.GenerationOf(address) == 0;

    private IEnumerable<int> First(int node)
    {
        int[] waiters = _before.Graph.StacksWaitingFor(node);
        (int Stack, long? Place)[] places = [.. waiters.Select(stack => (stack, PlaceOf(stack)))];
        return places.Any(waiter => waiter.Place is null) ? waiters : places.OrderBy(waiter => waiter.Place).Take(1).Select(waiter => waiter.Stack);
    }

    private long? PlaceOf(int stack)
    {
        for (WaitReason? reason = _before.Reasons.GetValueOrDefault(_before.Stacks.Rows[stack].WaitAddress); reason is not null; reason = reason.Behind)
        {
            foreach (WaitFact fact in reason.Own)
            {
                if (fact.Key == WaitFactKey.PlaceInQueue)
                    return fact.Number;
            }
        }
        return null;
    }

    private static (int Thread, ulong Address) IdentityOf(AsyncModel model, int stack)
        => model.Stacks.NodeOf(stack, 0) is var node && model.Nodes.ThreadOf(node) is { } thread ? (thread, 0) : (0, model.Nodes.Addresses[node]);

    private static ulong ResourceOf(AsyncModel model, int stack) => model.Facts.Blocked.GetValueOrDefault(model.Stacks.NodeOf(stack, 0))?.Resource ?? model.Stacks.Rows[stack].WaitAddress;
}
