using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Collects the resources that stacks wait for, each once: the semaphore, not the waiter's entry in its queue. Names are looked up
/// for a limited number of resources: hundreds of names help no reader, and a program with that many resources rarely names them.
/// </summary>
/// <param name="model">With all stacks and reasons.</param>
/// <param name="source">Knows the names.</param>
internal sealed class ResourceColumn(AsyncModel model, IStackSource source)
{
    /// <summary>The maximum number of resources that get a name.</summary>
    public const int NameLimit = 256;

    private readonly Dictionary<ulong, WaitResource> _found = [];

    // Most pipes are a library's; those of which a finding speaks are the program's own.
    private readonly HashSet<ulong> _ofFindings = [.. model.Facts.Replies.Where(row => row.IsRoom || row.IsByCode).Select(row => row.Promise)];
    private int _named;

    public IReadOnlyDictionary<ulong, WaitResource> Read()
    {
        ulong last = 0;
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            StackRow row = model.Stacks.Rows[stack];
            if (row.WaitAddress == 0 || row.WaitAddress == last || row.State is StackState.Scheduled or StackState.Active)
                continue;
            last = row.WaitAddress;
            if (ResourceOf(stack, row) is { Address: not 0 } resource && !_found.ContainsKey(resource.Address))
                _found[resource.Address] = Describe(resource.Address, resource.Kind, stack) with { IsShared = resource.IsShared };
            else if (IsPromise(stack, row) && !_found.ContainsKey(row.WaitAddress) && _named < NameLimit && source.DescribePromise(row.WaitAddress) is { } promise)
                (_found[row.WaitAddress], _named) = (promise, _named + 1);
        }
        // What only the inner end of a stack waits for, as each thread of a deadlock does.
        foreach ((int node, WaitReason reason) in model.Facts.Blocked)
        {
            if (reason.Resource != 0 && !reason.Holders.IsDefaultOrEmpty && HasName(reason.Kind) && !_found.ContainsKey(reason.Resource) && _named++ < NameLimit)
                _found[reason.Resource] = source.Describe(reason.Resource, [], model.Nodes.ThreadOf(node)) with { IsShared = reason.SharedResource != 0 };
        }
        return _found;
    }

    // A thread blocks on the resource itself. A task or a source in a queue leads to the resource.
    private (ulong Address, WaitKind Kind, bool IsShared) ResourceOf(int stack, in StackRow row)
    {
        if (model.Nodes.ThreadOf(model.Stacks.NodeOf(stack, 0)) is not null)
        {
            WaitKind blocked = model.Stacks.WaitOf(stack)?.Kind ?? WaitKind.None;
            return (blocked != WaitKind.Timer && HasName(blocked) ? row.WaitAddress : 0, blocked, blocked is WaitKind.Lock or WaitKind.Semaphore);
        }
        if (!model.Reasons.TryGetValue(row.WaitAddress, out WaitReason? reason))
            return default;
        WaitReason innermost = reason;
        while (innermost.Behind is { } behind && behind.Resource == reason.Resource)
            innermost = behind;
        return (reason.Resource, innermost.Kind, reason.SharedResource != 0);
    }

    // Nothing is known of it but that somebody has to complete it.
    private bool IsPromise(int stack, in StackRow row)
        => row.State == StackState.Awaiting && model.WaitsFor(stack) < 0 && (!model.Reasons.TryGetValue(row.WaitAddress, out WaitReason? reason) || reason is { Kind: WaitKind.None or WaitKind.Task, Behind: null, Resource: 0 });

    // Objects that a program creates itself. Sockets and pools are deep inside libraries, and their field names mean nothing to the user.
    private static bool HasName(WaitKind kind) => kind is WaitKind.Semaphore or WaitKind.Lock or WaitKind.Event or WaitKind.Channel or WaitKind.Timer;

    private WaitResource Describe(ulong resource, WaitKind kind, int stack)
    {
        if (!(HasName(kind) || _ofFindings.Contains(resource)) || _named >= NameLimit)
            return new(resource);
        _named++;
        return source.Describe(resource, ObjectsOf(stack), model.ThreadOf(stack));
    }

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
