using System.Collections.Immutable;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Stacks of tasks without suspended frames: pending tasks that only other tasks or callbacks wait for, and completed tasks of async
/// methods. They are built only on request.
/// </summary>
/// <param name="index">Has the tasks.</param>
/// <param name="source">Answers for the target.</param>
/// <param name="table">The frames.</param>
/// <param name="firstNode">Number of the first task's node.</param>
internal sealed class PlainTaskStacks(HeapIndex index, IStackSource source, FrameTable table, int firstNode)
{
    private readonly Dictionary<ulong, (TaskRow Row, int Node)> _pending = [];
    private readonly HashSet<ulong> _shown = [];
    private readonly Dictionary<ulong, int> _taskPlaces = [];
    private readonly Dictionary<int, int> _donePlaces = [];
    private readonly List<ulong> _waiting = [];

    /// <summary>Adds them.</summary>
    public void AddTo(StackTableBuilder stacks)
    {
        for (int i = 0; i < index.Tasks.Count; i++)
        {
            if (!index.Tasks[i].IsCompleted)
                _pending[index.Tasks[i].Address] = (index.Tasks[i], firstNode + i);
        }
        AddPending(stacks);
        for (int i = 0; i < index.Tasks.Count; i++)
        {
            TaskRow task = index.Tasks[i];
            if (task.IsCompleted)
                stacks.AddTasks(StackState.Completed, ShapeOf([task.IsStateMachine ? StateMachinePlace(task) : TaskPlace(task)]), [firstNode + i], null, task.Address);
        }
    }

    private void AddPending(StackTableBuilder stacks)
    {
        var awaited = new HashSet<ulong>();
        foreach ((TaskRow task, _) in _pending.Values)
            awaited.UnionWith(WaitersOf(task).Where(_pending.ContainsKey));
        // Tasks that wait for each other in a cycle are not the beginning of a stack.
        foreach ((TaskRow task, _) in _pending.Values.OrderBy(task => awaited.Contains(task.Row.Address)).ThenBy(task => task.Row.Address).ToArray())
        {
            if (!_shown.Contains(task.Address))
                AddChain(task, stacks);
        }
    }

    // Not if an async method is among the waiters: its own stack says what it waits for.
    private void AddChain(TaskRow first, StackTableBuilder stacks)
    {
        var places = new List<int>();
        var nodes = new List<int>();
        bool hasMethod = false;
        TaskRow outermost = first;
        for (TaskRow task = first; _shown.Add(task.Address);)
        {
            outermost = task;
            places.Add(TaskPlace(task));
            nodes.Add(_pending[task.Address].Node);
            ImmutableArray<ulong> waiters = WaitersOf(task);
            hasMethod |= waiters.Any(address => index.FindNode(address) >= 0);
            ulong next = waiters.FirstOrDefault(_pending.ContainsKey);
            if (next == 0)
                break;
            task = _pending[next].Row;
        }
        if (!hasMethod)
            stacks.AddTasks(StackState.Awaiting, ShapeOf(places), nodes, WaitOf(first), outermost.Address);
    }

    private static StackShape ShapeOf(List<int> places)
        => new([.. Enumerable.Range(1, places.Count).Select(end => new ShapePart(0, end))], [.. places], [.. Enumerable.Repeat(FrameForm.Object, places.Count)]);

    // The fields of a completed state machine are obsolete; its type still names the method.
    private int StateMachinePlace(TaskRow task)
    {
        const int done = -2; // Roslyn's StateMachineStates.FinishedState
        int id = table.IdOf(new NodeRow(NodeKind.Machine, task.Address, task.MethodTable, 0, 0, done));
        // It is not suspended at an await, so it has no line.
        return _donePlaces.TryGetValue(id, out int place) ? place : _donePlaces[id] = table.IdOfDone(id);
    }

    private int TaskPlace(TaskRow task)
    {
        if (task.MethodTable != 0 && _taskPlaces.TryGetValue(task.MethodTable, out int known))
            return known;
        return _taskPlaces[task.MethodTable] = NewTaskPlace(task);
    }

    private int NewTaskPlace(TaskRow task)
        => table.IdOf(new LogicalFrame { Kind = FrameKind.Task, Method = source.Types?.CSharpNameOf(task.MethodTable) ?? FrameNames.OfUnreadable(task.Address) });

    private WaitingOn WaitOf(TaskRow task)
    {
        WaitReason? reason = source.ReasonOf(task.Address, new WaitTrail());
        string? type = source.Types?.CSharpNameOf(task.MethodTable);
        return new WaitingOn(WaitKind.Task, (reason is null ? null : WaitFormatter.What(reason)) ?? type ?? "a task", task.Address, type) { Detail = reason is null ? null : WaitFormatter.Detail(reason) };
    }

    private ImmutableArray<ulong> WaitersOf(TaskRow task)
    {
        _waiting.Clear();
        source.ReadAwaiters(task.Awaiter, _waiting);
        return [.. _waiting];
    }
}
