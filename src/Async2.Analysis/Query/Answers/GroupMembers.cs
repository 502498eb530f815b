using System.Collections.Immutable;
using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Model.Members;

namespace Async2.Analysis.Query.Answers;

/// <summary>What each of equal stacks has for itself.</summary>
/// <param name="model">The model.</param>
/// <param name="options">How stacks are shown, and who reads variables.</param>
internal sealed class GroupMembers(AsyncModel model, ViewOptions options)
{
    /// <summary>Members that are listed; the others are in the spread of their variables only.</summary>
    public const int ListLimit = 20;

    // More values than these are counted, and none of them is common.
    private const int ShareLimit = 3;

    private readonly WaitAges? _ages = WaitAges.Of(model);

    /// <param name="members">Numbers of stacks with the same shape.</param>
    /// <param name="start">The first that is listed.</param>
    /// <param name="limit">How many are listed at most.</param>
    public EqualStacks Of(IReadOnlyList<int> members, int start = 0, int limit = ListLimit)
    {
        int[] oldest = [.. members.OrderByDescending(member => _ages?.OfStack(member)?.AtLeastMs ?? 0)];
        int[] read = options.Variables is null ? [] : [.. oldest.Take(Math.Max(options.Members, start + limit))];
        var locals = new Dictionary<int, IReadOnlyDictionary<int, ImmutableArray<LocalValue>>>();
        foreach (int member in read)
            locals[member] = LocalsOf(member);
        return new([.. oldest.Skip(start).Take(limit).Select(member => MemberOf(member, locals.GetValueOrDefault(member)))], read.Length, SpreadOf(locals.Values));
    }

    private StackMember MemberOf(int stack, IReadOnlyDictionary<int, ImmutableArray<LocalValue>>? locals) => new()
    {
        Task = model.TaskOf(stack) is not 0 and var task ? task : null,
        Thread = model.ThreadOf(stack),
        Age = _ages?.OfStack(stack),
        Labels = [.. model.Facts.Labels.Of(stack)],
        Locals = locals ?? ImmutableDictionary<int, ImmutableArray<LocalValue>>.Empty,
    };

    private Dictionary<int, ImmutableArray<LocalValue>> LocalsOf(int stack)
    {
        ShownRows shown = ShownRows.Of(model.Stacks.ShapeOf(stack), model.Places, options.IncludeFramework);
        ulong[] addresses = shown.AddressesOf(model, stack);
        var found = new Dictionary<int, ImmutableArray<LocalValue>>();
        for (int i = 0; i < addresses.Length; i++)
        {
            if (addresses[i] != 0 && options.Variables!.LocalsOf(shown.Rows[i].Id, addresses[i]) is { IsEmpty: false } locals)
                found[i] = locals;
        }
        return found;
    }

    // In the order of frames, and of variables in the first stack that has them.
    private static ImmutableArray<VariableSpread> SpreadOf(IEnumerable<IReadOnlyDictionary<int, ImmutableArray<LocalValue>>> stacks)
    {
        var values = new Dictionary<(int Frame, string Name), Dictionary<string, long>>();
        foreach ((int frame, ImmutableArray<LocalValue> locals) in stacks.SelectMany(stack => stack))
        {
            foreach (LocalValue local in locals)
            {
                if (!values.TryGetValue((frame, local.Name), out Dictionary<string, long>? known))
                    values[(frame, local.Name)] = known = new(StringComparer.Ordinal);
                known[local.Value] = known.GetValueOrDefault(local.Value) + 1;
            }
        }
        return [.. values.Where(pair => pair.Value.Count > 1).Select(pair => SpreadOf(pair.Key.Frame, pair.Key.Name, pair.Value)).OrderBy(spread => spread.Frame)];
    }

    private static VariableSpread SpreadOf(int frame, string name, Dictionary<string, long> values)
    {
        IEnumerable<LabelShare> common = values.Where(value => value.Value > 1).Select(value => new LabelShare(value.Key, value.Value))
            .OrderByDescending(share => share.Count).ThenBy(share => share.Value, StringComparer.Ordinal).Take(ShareLimit);
        return new(frame, name, values.Count, values.Values.Sum(), [.. common]);
    }
}
