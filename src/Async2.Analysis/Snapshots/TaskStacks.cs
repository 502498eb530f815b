using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Stacks;
using Async2.Analysis.Words;

namespace Async2.Analysis.Snapshots;

/// <summary>
/// Stacks of what has no suspended frames: pending tasks that only other tasks or callbacks wait for, and completed tasks of async
/// methods. Made only for those who ask; they come after all others.
/// </summary>
internal sealed class TaskStacks(HeapIndex index, StackReaders readers, FrameTable table, AnalysisOptions options)
{
    private readonly Dictionary<ulong, TaskRow> _pending = [];
    private readonly HashSet<ulong> _shown = [];
    private readonly List<ulong> _waiting = [];

    /// <summary>Adds them to an answer.</summary>
    public LogicalStacks AddTo(LogicalStacks found)
    {
        LogicalStack[] all = [.. Pending(), .. Completed()];
        if (all.Length == 0)
            return found;
        var filter = new StackFilter(options.Query, new ObjectMatch(options.Query, readers.Types));
        LogicalStack[] wanted = found.Matching is null ? all : Array.FindAll(all, filter.Matches);
        LogicalStack[] groups = Coalesced(all), shown = wanted.Length == all.Length ? groups : Coalesced(wanted);
        var stacks = found.Stacks.ToBuilder();
        foreach (LogicalStack stack in shown)
            stacks.Add(stack with { Id = string.Create(CultureInfo.InvariantCulture, $"s{stacks.Count + 1}") });
        return found with
        {
            Stacks = stacks.ToImmutable(),
            Totals = Plus(found.Totals, all, groups.Length),
            Matching = found.Matching is { } matching ? matching with { Totals = Plus(matching.Totals, wanted, shown.Length) } : null,
        };
    }

    private static SnapshotTotals Plus(SnapshotTotals totals, LogicalStack[] stacks, int groups)
        => new(totals.Stacks + stacks.Length, totals.Frames + stacks.Sum(stack => (long)stack.Frames.Count), totals.Groups + groups);

    private LogicalStack[] Coalesced(LogicalStack[] stacks) => !options.Coalesce ? stacks
        : [.. stacks.GroupBy(stack => (stack.State, stack.WaitingOn?.Text, string.Join('\n', stack.Frames.Select(frame => frame.Method))))
            .Select(group => group.First() with { Count = group.LongCount() })
            .OrderByDescending(stack => stack.Count)];

    private IEnumerable<LogicalStack> Completed()
    {
        foreach (TaskRow task in index.Tasks)
        {
            if (!task.IsCompleted)
                continue;
            LogicalFrame frame = task.IsMachine ? StateMachineFrame(task) : TaskFrame(task.Address, task.MethodTable);
            yield return StackOf(StackState.Completed, [frame]);
        }
    }

    // What a machine's fields say is past; its type still names the method.
    private LogicalFrame StateMachineFrame(TaskRow task)
    {
        const int done = -2; // Roslyn's StateMachineStates.FinishedState
        int id = table.IdOf(new NodeRow(NodeKind.Machine, task.Address, task.MethodTable, 0, 0, done));
        // It stopped at no await, which is all that is said of its place.
        return table[id].Frame with { Address = task.Address, Exactness = Exactness.Exact };
    }

    private LogicalFrame TaskFrame(ulong address, ulong methodTable)
        => new() { Kind = FrameKind.Task, Method = readers.Types?.CSharpNameOf(methodTable) ?? FrameNames.OfUnreadable(address), Address = address };

    private IEnumerable<LogicalStack> Pending()
    {
        var awaited = new HashSet<ulong>();
        foreach (TaskRow task in index.Tasks)
        {
            if (!task.IsCompleted)
                _pending[task.Address] = task;
        }
        foreach (TaskRow task in _pending.Values)
            awaited.UnionWith(WaitersOf(task).Where(_pending.ContainsKey));
        // Those that wait for each other in a circle are nobody's start.
        foreach (TaskRow task in _pending.Values.OrderBy(task => awaited.Contains(task.Address)).ThenBy(task => task.Address).ToArray())
        {
            if (!_shown.Contains(task.Address) && Chain(task) is { } stack)
                yield return stack;
        }
    }

    // Null where an async method is among those who wait: that stack says what it waits for.
    private LogicalStack? Chain(TaskRow first)
    {
        var frames = new List<LogicalFrame>();
        bool hasMethod = false;
        for (TaskRow task = first; _shown.Add(task.Address);)
        {
            frames.Add(TaskFrame(task.Address, task.MethodTable));
            ImmutableArray<ulong> waiters = WaitersOf(task);
            hasMethod |= waiters.Any(address => index.FindNode(address) >= 0);
            task = waiters.Select(address => _pending.GetValueOrDefault(address)).FirstOrDefault(waiter => waiter != default);
            if (task == default)
                break;
        }
        return hasMethod ? null : StackOf(StackState.Awaiting, frames) with { WaitingOn = WaitOf(first) };
    }

    private WaitingOn WaitOf(TaskRow task)
    {
        WaitReason? reason = readers.DescribeWait(task.Address);
        string? type = readers.Types?.CSharpNameOf(task.MethodTable);
        return new WaitingOn(WaitKind.Task, (reason is null ? null : WaitWords.What(reason)) ?? type ?? "a task", task.Address, type) { Detail = reason is null ? null : WaitWords.Detail(reason) };
    }

    private ImmutableArray<ulong> WaitersOf(TaskRow task)
    {
        _waiting.Clear();
        readers.ReadAwaiters(task.Awaiter, _waiting);
        return [.. _waiting];
    }

    private static LogicalStack StackOf(StackState state, List<LogicalFrame> frames)
        => new() { Id = "", Count = 1, State = state, Task = frames[^1].Address, Tasks = [.. frames.Select(frame => frame.Address ?? 0)], Frames = [.. frames] };
}
