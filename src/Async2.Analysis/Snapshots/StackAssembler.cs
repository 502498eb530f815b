using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Nodes.Waits;
using Async2.Analysis.Stacks;

namespace Async2.Analysis.Snapshots;

/// <summary>Turns groups of stacks into what a snapshot shows: ordered, numbered, with references between stacks by number.</summary>
internal static class StackAssembler
{
    public static ImmutableArray<LogicalStack> Assemble(Coalescer stacks, FrameTable table, Func<ulong, WaitFacts?> describe)
    {
        StackGroup[] ordered = [.. stacks.Groups];
        var order = new StackOrder(stacks, table);
        Array.Sort(ordered, order.Compare);
        var ids = new Dictionary<StackGroup, string>(ordered.Length);
        for (int i = 0; i < ordered.Length; i++)
            ids[ordered[i]] = string.Create(CultureInfo.InvariantCulture, $"s{i + 1}");
        var result = ImmutableArray.CreateBuilder<LogicalStack>(ordered.Length);
        foreach (StackGroup group in ordered)
            result.Add(WithDetails(StackOf(group, ids, stacks, table), group, describe));
        return result.MoveToImmutable();
    }

    private static LogicalStack StackOf(StackGroup group, Dictionary<StackGroup, string> ids, Coalescer stacks, FrameTable table)
    {
        var frames = ImmutableArray.CreateBuilder<LogicalFrame>(group.Frames.Length);
        foreach (StackFrame frame in group.Frames)
        {
            LogicalFrame shown = table[frame.Id].Frame;
            frames.Add(frame.Address == 0 ? shown : shown with { Address = frame.Address });
        }
        StackGroup? awaited = group.WaitsForChain < 0 ? null : stacks.GroupOf(group.WaitsForChain);
        return new LogicalStack
        {
            Id = ids[group],
            Count = group.Count,
            State = group.State,
            Task = group.Task,
            Thread = group.Thread,
            WaitingOn = awaited is null ? group.WaitingOn : WaitingForStack(group.WaitingOn, ids[awaited]),
            Frames = frames.MoveToImmutable(),
        };
    }

    // What waits for another stack is told there; what has happened already needs no reason.
    private static LogicalStack WithDetails(LogicalStack stack, StackGroup group, Func<ulong, WaitFacts?> describe)
        => stack is { State: StackState.Awaiting, WaitingOn: { Stack: null } wait }
            ? stack with { WaitingOn = WaitDetails.Add(wait, group.Awaited, group.Count, describe) }
            : stack;

    private static WaitingOn WaitingForStack(WaitingOn? wait, string id)
        => (wait ?? new WaitingOn(WaitKind.Task, "Task")) with { Kind = WaitKind.Task, Stack = id };
}
