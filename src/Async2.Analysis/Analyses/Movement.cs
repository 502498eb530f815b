using System.Runtime.CompilerServices;
using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses;

/// <summary>
/// What has moved between two looks at a process: a pure function of two models. Things are known again by their addresses. A collection changes
/// these, so what is not found at its address has moved only if it is new, which it is as long as it has survived no collection.
/// </summary>
internal sealed class Movement
{
    private static readonly ConditionalWeakTable<AsyncModel, Movement> Known = [];

    private readonly AsyncModel _before;
    private readonly AsyncModel _now;
    private readonly Dictionary<ulong, int> _operations = [];
    private readonly Dictionary<int, int> _threads = [];

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

    /// <summary>Milliseconds between the two looks.</summary>
    public long ApartMs => _now.Target.ApartMs ?? 0;

    /// <summary>What has moved since a model's earlier look; null if there was one look.</summary>
    public static Movement? Of(AsyncModel model) => model.Earlier is { } earlier ? Known.GetValue(model, now => new(earlier, now)) : null;

    /// <summary>A stack: still if it stands in the same place and waits for the same object, which nobody uses twice.</summary>
    /// <param name="stack">Its number in the later model.</param>
    public Motion OfStack(int stack)
    {
        int node = _now.Stacks.NodeOf(stack, 0);
        StackRow row = _now.Stacks.Rows[stack];
        if (row.State is StackState.Active or StackState.Scheduled or StackState.Completed)
            return Motion.Moved;
        if (_now.Nodes.ThreadOf(node) is { } thread)
            return _threads.TryGetValue(thread, out int one) && IsSame(one, stack) && ResourceOf(_before, one) == ResourceOf(_now, stack) ? Motion.Still : Motion.Moved;
        if (!_operations.TryGetValue(_now.Nodes.Addresses[node], out int known))
            return IsNew(_now.Nodes.Addresses[node]) ? Motion.Moved : Motion.Unknown;
        if (!IsSame(known, stack))
            return Motion.Moved;
        if (_before.Stacks.Rows[known].WaitAddress != row.WaitAddress)
            return IsNew(row.WaitAddress) ? Motion.Moved : Motion.Unknown;
        return row.WaitAddress == 0 || _now.Stacks.WaitOf(stack)?.Kind is WaitKind.Channel or WaitKind.Pipe or WaitKind.Socket or WaitKind.Custom ? Motion.Unknown : Motion.Still;
    }

    /// <summary>
    /// A queue: still if who was the first of those who waited, waits. Who gives up leaves a queue, too, so others may be gone; where nobody
    /// knows who is first, all have to be there.
    /// </summary>
    /// <param name="node">Number in the later model of what is waited for.</param>
    public Motion OfQueue(int node)
    {
        int before = node < 0 ? -1 : _before.Graph.Find(_now.Graph[node].Address);
        int[] first = before < 0 ? [] : [.. First(before)];
        if (first.Length == 0)
            return Motion.Unknown;
        HashSet<(int Thread, ulong Address)> still = [];
        bool isSure = true;
        foreach (int stack in _now.Graph.StacksWaitingFor(node))
        {
            Motion motion = OfStack(stack);
            isSure &= motion != Motion.Unknown;
            if (motion == Motion.Still)
                still.Add(IdentityOf(_now, stack));
        }
        return first.All(stack => still.Contains(IdentityOf(_before, stack))) ? Motion.Still : isSure ? Motion.Moved : Motion.Unknown;
    }

    /// <summary>The thread pool: still if it took nothing from its queue, moved if less is queued.</summary>
    public Motion OfPool()
    {
        if (_now.Target.Pool is not { } pool || _before.Target.Pool is not { } before)
            return Motion.Unknown;
        return pool.Queued < before.Queued ? Motion.Moved
            : pool is { IsSinceProgressBound: false, SinceProgressMs: { } since } && since >= ApartMs ? Motion.Still : Motion.Unknown;
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
