using System.Collections.Immutable;
using Async2.Analysis.Analyses;
using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Query.Answers;

/// <summary>Turns groups of stacks into the stacks of an answer: sorted, numbered, with references between stacks by number.</summary>
internal sealed class StackAssembler(AsyncModel model, ViewOptions options, StackSorting? sort)
{
    /// <summary>The number of members of a group that are read; facts on which they agree apply to all.</summary>
    private const int ReasonLimit = 64;

    private readonly ImmutableArray<FramePlace> _places = model.Places;
    private readonly Movement? _movement = Movement.Of(model);
    private readonly WaitAges? _ages = WaitAges.Of(model);
    private readonly Dictionary<int, ShownRows> _rows = [];

    /// <summary>The stacks of an answer, and its graph.</summary>
    public (ImmutableArray<LogicalStack> Stacks, ViewGraph Graph) Assemble(IEnumerable<StackGroup> shown, StackGrouper stacks)
    {
        StackGroup[] ordered = [.. shown];
        var order = new StackOrder(model, stacks, options.IncludeFramework);
        Array.Sort(ordered, sort == StackSorting.Age && _ages is not null ? AgeOrder.Of(ordered, _ages, order) : order.Compare);
        var ids = new Dictionary<StackGroup, string>(ordered.Length);
        for (int i = 0; i < ordered.Length; i++)
        {
            ordered[i].Number = i + 1;
            ids[ordered[i]] = ordered[i].Id;
        }
        var references = new StackReferences(model, stacks, ordered, ids);
        var result = ImmutableArray.CreateBuilder<LogicalStack>(ordered.Length);
        foreach (StackGroup group in ordered)
            result.Add(StackOf(group, ids[group], references));
        return (result.MoveToImmutable(), new AnswerGraph(model, ordered, stacks));
    }

    private LogicalStack StackOf(StackGroup group, string id, StackReferences references)
    {
        int first = group.First;
        StackAge? age = _ages?.OfStack(first);
        return new LogicalStack
        {
            Id = id,
            Key = model.KeyOf(first),
            Count = group.Members.Count,
            State = group.Key.State,
            Task = model.TaskOf(first) is not 0 and var task ? task : null,
            Thread = model.ThreadOf(first),
            WaitingOn = WithResource(WaitOf(group, references), group),
            AwaitedBy = references.AwaitedBy(group),
            Idle = model.Stacks.IdleOf(first),
            Age = AgeOf(group),
            Labels = LabelsOf(group),
            Frames = FramesOf(first, age),
            Members = group.Members,
            Equal = options.Members == 0 || group.Members.Count == 1 ? null : new GroupMembers(model, options).Of(group.Members),
        };
    }

    // What has not moved between looks is said of it, whatever else is known: how many have not for the longest time.
    private StackAge? AgeOf(StackGroup group)
    {
        long[] still = _movement is null ? [] : [.. group.Members.Select(_movement.OfStack).Where(one => one.Motion == Motion.Still).Select(one => one.Ms)];
        long longest = still.DefaultIfEmpty().Max();
        return still.Length == 0 ? GroupAges.Of(_ages, group.Members) : new(longest, AgeClock.TwoLooks, still.Count(ms => ms == longest));
    }

    // Of each name the value of the first that has one, and how many there are.
    private ImmutableArray<StackLabel> LabelsOf(StackGroup group)
    {
        LabelFacts labels = model.Facts.Labels;
        if (labels.IsEmpty)
            return [];
        if (group.Members.Count == 1)
            return [.. labels.Of(group.First)];
        var found = new Dictionary<string, (StackLabel First, Dictionary<string, long> Values)>();
        foreach (StackLabel label in group.Members.SelectMany(labels.Of))
        {
            if (!found.TryGetValue(label.Name, out (StackLabel First, Dictionary<string, long> Values) known))
                found[label.Name] = known = (label, new(StringComparer.Ordinal));
            known.Values[label.Value] = known.Values.GetValueOrDefault(label.Value) + 1;
        }
        return LabelNames.Sorted(found.Values.Select(label => label.First with { Stacks = label.Values.Values.Sum(), Values = label.Values.Count, Shares = SharesOf(label.Values) }));
    }

    private static ImmutableArray<LabelShare> SharesOf(Dictionary<string, long> values) => values.Count is < 2 or > StackLabel.MostShares ? []
        : [.. values.Select(value => new LabelShare(value.Key, value.Value)).OrderByDescending(share => share.Count).ThenBy(share => share.Value, StringComparer.Ordinal)];

    private FrameList FramesOf(int stack, StackAge? age)
    {
        int shape = model.Stacks.Rows[stack].Shape;
        if (!_rows.TryGetValue(shape, out ShownRows? shown))
            _rows[shape] = shown = ShownRows.Of(model.Stacks.Shapes[shape], _places, options.IncludeFramework);
        FrameList frames = FrameList.Of(shown.Rows, new(() => shown.AddressesOf(model, stack)), frame => Show(frame, age));
        return options.Variables is null ? frames : [.. Enumerable.Range(0, frames.Count).Select(i => ShowWithLocals(frames.RowAt(i)!.Value, age))];
    }

    private LogicalFrame Show(StackFrame frame, StackAge? stack)
    {
        FramePlace place = _places[frame.Id];
        return frame is { Address: 0, Folded: 0 } && place.Origin == FrameOrigin.User ? place.Frame : place.Frame with
        {
            Address = frame.Address == 0 ? null : frame.Address,
            Folded = frame.Folded,
            IsFramework = place.Origin != FrameOrigin.User,
            Age = frame.Address == 0 ? null : _ages?.OfFrame(frame.Address, stack),
        };
    }

    private LogicalFrame ShowWithLocals(StackFrame frame, StackAge? stack)
        => frame.Address == 0 ? Show(frame, stack) : Show(frame, stack) with { Locals = options.Variables!.LocalsOf(frame.Id, frame.Address) };

    // Facts that the first members have in common.
    private WaitingOn? WithResource(WaitingOn? wait, StackGroup group)
    {
        if (wait is not { IsDone: false } || model.ResourceOf(group.First) is not { } resource)
            return wait;
        for (int i = 1; i < Math.Min(group.Members.Count, ReasonLimit); i++)
        {
            if (model.ResourceOf(group.Members[i])?.Address != resource.Address)
                return wait;
        }
        return wait with { Resource = resource };
    }

    // Who holds what a thread waits for was found when its frames had been read.
    private WaitingOn? OwnWait(int stack)
        => model.Stacks.WaitOf(stack) is { Detail: not null } wait && model.Facts.Blocked.GetValueOrDefault(model.Stacks.NodeOf(stack, 0)) is { } reason && reason.Shared.Any(fact => fact.Key == WaitFactKey.HeldByOperations)
            ? wait with { Detail = WaitFormatter.Detail(reason) } : model.Stacks.WaitOf(stack);

    // The other stack explains the wait; a stack whose wait is over needs no reason.
    private WaitingOn? WaitOf(StackGroup group, StackReferences references)
    {
        StackRow row = model.Stacks.Rows[group.First];
        if (row.Wait < 0 && model.WaitsFor(group.First) < 0)
            return null;
        WaitingOn? own = OwnWait(group.First);
        bool isTask = (row.Flags & StackFlags.IsTask) != 0;
        if (own is not null && !isTask)
            own = own with { Address = row.WaitAddress == 0 ? null : row.WaitAddress };
        WaitingOn? wait = references.Complete(group, own);
        if (wait is { Detail: { } detail } && group.Members.Any(member => OwnWait(member)?.Detail != own?.Detail))
            wait = wait with { Detail = WaitFormatter.Example(detail) };
        // What a thread blocks in was read with its frames; the object alone says less. If it blocks for an operation, the wait is that of the operation.
        bool isOwn = row.State == StackState.Blocked && model.Graph.KindOf(model.Stacks.NodeOf(group.First, 0)) == AsyncNodeKind.ThreadSegment && wait is { Kind: not (WaitKind.Task or WaitKind.Custom or WaitKind.None) };
        if (isTask || isOwn || row.State is StackState.Scheduled or StackState.Active || wait is not { Stack: null, Detail: null, IsDone: false })
            return wait;
        WaitReason?[] reasons = [.. group.Members.Select(member => model.Stacks.Rows[member].WaitAddress).Where(address => address != 0).Take(ReasonLimit).Select(address => model.Reasons.GetValueOrDefault(address))];
        WaitingOn detailed = GroupWaitFormatter.Add(wait, reasons, group.Members.Count);
        return detailed with { Detail = WaitNumbers.Join(detailed.Detail, references.LeavesOf(group)) };
    }
}
