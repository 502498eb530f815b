using Async2.Analysis.Model;
using Async2.Analysis.Query.Answers;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Collects what stacks wait for behind what they await, each once: the semaphore, not the waiter's place in its queue. Names are asked
/// for while there are few: nobody reads a thousand, and who has that many mostly made them without a name.
/// </summary>
/// <param name="model">With all stacks and reasons.</param>
/// <param name="readers">Know the names.</param>
internal sealed class ResourceColumn(AsyncModel model, StackReaders readers)
{
    /// <summary>So many resources are given a name at most.</summary>
    public const int NameLimit = 1_000;

    private readonly Dictionary<ulong, WaitResource> _found = [];

    public IReadOnlyDictionary<ulong, WaitResource> Read()
    {
        ulong last = 0;
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            StackRow row = model.Stacks.Rows[stack];
            if (row.WaitAddress == 0 || row.WaitAddress == last || row.State is StackState.Scheduled or StackState.Active)
                continue;
            last = row.WaitAddress;
            if (HasResource(stack, row) is var (resource, isShared) && resource != 0 && !_found.ContainsKey(resource))
                _found[resource] = Describe(resource, stack) with { IsShared = isShared };
        }
        return _found;
    }

    // What a thread blocks in is the resource itself; a task or a source in a queue leads to it.
    private (ulong Resource, bool IsShared) HasResource(int stack, in StackRow row)
    {
        if (model.Nodes.ThreadOf(model.Stacks.NodeOf(stack, 0)) is not null)
        {
            WaitKind? kind = model.Stacks.WaitOf(stack)?.Kind;
            return (kind is WaitKind.Lock or WaitKind.Semaphore or WaitKind.Event or WaitKind.Channel ? row.WaitAddress : 0, kind is WaitKind.Lock or WaitKind.Semaphore);
        }
        return model.Reasons.TryGetValue(row.WaitAddress, out WaitReason? reason) ? (reason.Resource, reason.SharedResource != 0) : default;
    }

    private WaitResource Describe(ulong resource, int stack)
        => readers.DescribeResource is { } describe && _found.Count < NameLimit ? describe(resource, ObjectsOf(stack), model.ThreadOf(stack)) : new(resource);

    private IEnumerable<ulong> ObjectsOf(int stack)
    {
        var objects = new StackObjects(model, stack);
        while (objects.MoveNext())
        {
            if (objects.Address != 0)
                yield return objects.Address;
        }
    }
}
