using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Stacks;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Snapshots;

/// <summary>Turns groups of stacks into what a snapshot shows: ordered, numbered, with references between stacks by number.</summary>
internal static class StackAssembler
{
    public static ImmutableArray<LogicalStack> Assemble(
        IEnumerable<StackGroup> shown, Coalescer stacks, FrameTable table, AsyncGraph graph, StackReaders readers, Func<int, ulong> taskOf)
    {
        StackGroup[] ordered = [.. shown];
        var order = new StackOrder(stacks, table);
        Array.Sort(ordered, order.Compare);
        var ids = new Dictionary<StackGroup, string>(ordered.Length);
        for (int i = 0; i < ordered.Length; i++)
            ids[ordered[i]] = string.Create(CultureInfo.InvariantCulture, $"s{i + 1}");
        var references = new StackReferences(stacks, graph, ordered, ids);
        var result = ImmutableArray.CreateBuilder<LogicalStack>(ordered.Length);
        Func<ulong, WaitFacts?> describe = Remembering(readers.DescribeWait);
        foreach (StackGroup group in ordered)
        {
            LogicalStack stack = StackOf(group, ids[group], references, table, readers.Locals);
            result.Add(WithDetails(Searchable(stack, group, table, taskOf), group, references, describe));
        }
        return result.MoveToImmutable();
    }

    // Thousands may wait for one thing.
    private static Func<ulong, WaitFacts?> Remembering(Func<ulong, WaitFacts?> describe)
    {
        var known = new Dictionary<ulong, WaitFacts?>();
        return address =>
        {
            if (!known.TryGetValue(address, out WaitFacts? facts))
                known[address] = facts = describe(address);
            return facts;
        };
    }

    private static LogicalStack StackOf(StackGroup group, string id, StackReferences references, FrameTable table, Func<FrameEntry, ulong, ImmutableArray<LocalValue>>? locals)
        => new()
        {
            Id = id,
            Count = group.Count,
            State = group.State,
            Task = group.Task == 0 ? null : group.Task,
            Thread = group.Thread,
            WaitingOn = references.Complete(group) is { Detail: { } detail } wait && group.IsMixed ? wait with { Detail = "e.g. " + detail } : references.Complete(group),
            AwaitedBy = references.AwaitedBy(group),
            Idle = group.Idle,
            Frames = locals is null ? FramesOf(group.Frames, table.Entries) : [.. group.Frames.Select(frame => FrameOf(frame, table[frame.Id], locals))],
        };

    // A snapshot outlives the table: it keeps the entries only.
    private static FrameList FramesOf(ImmutableArray<StackFrame> frames, IReadOnlyList<FrameEntry> entries)
        => FrameList.Of(frames, frame => FrameOf(frame, entries[frame.Id], null));

    // With what was kept for those who search the answer.
    private static LogicalStack Searchable(LogicalStack stack, StackGroup group, FrameTable table, Func<int, ulong> taskOf)
    {
        if (group.Nodes.IsEmpty)
            return stack;
        stack = stack with { Tasks = [.. group.Nodes.Select(taskOf).Where(task => task != 0)] };
        return group.AllFrames.IsEmpty ? stack : stack with { AllFrames = FramesOf(group.AllFrames, table.Entries) };
    }

    private static LogicalFrame FrameOf(StackFrame frame, FrameEntry entry, Func<FrameEntry, ulong, ImmutableArray<LocalValue>>? locals)
        => frame is { Address: 0, Folded: 0 } && entry.Origin == FrameOrigin.User ? entry.Frame : entry.Frame with
        {
            Address = frame.Address == 0 ? null : frame.Address,
            Folded = frame.Folded,
            IsFramework = entry.Origin != FrameOrigin.User,
            Locals = frame.Address == 0 ? [] : locals?.Invoke(entry, frame.Address) ?? [],
        };

    // What waits for another stack is told there; what has happened already needs no reason.
    private static LogicalStack WithDetails(LogicalStack stack, StackGroup group, StackReferences references, Func<ulong, WaitFacts?> describe)
    {
        if (stack is not { State: not (StackState.Scheduled or StackState.Active), WaitingOn: { Stack: null, Detail: null, IsDone: false } wait })
            return stack;
        WaitingOn detailed = WaitDetails.Add(wait, group.Awaited, group.Count, describe);
        return stack with { WaitingOn = detailed with { Detail = WaitText.Join(detailed.Detail, references.LeavesOf(group, describe)) } };
    }
}
