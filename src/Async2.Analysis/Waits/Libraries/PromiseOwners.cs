using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>
/// Tasks that are nothing but a promise, by who will complete them: to its waiters each is an anonymous TaskCompletionSource, but
/// some object of a library knows what it is about.
/// </summary>
internal sealed class PromiseOwners(WaitReaderContext all)
{
    private static readonly LibraryObject[] Owners =
    [
        LibraryObject.HttpWaiter, LibraryObject.ForEach, LibraryObject.BlockTarget, LibraryObject.BlockSource, LibraryObject.BlockSend,
        LibraryObject.BlockReceive, LibraryObject.RedisMessage, LibraryObject.ObservableTask,
    ];

    private readonly HttpPoolWaits _http = new(all);
    private readonly DataflowWaits _blocks = new(all);
    private readonly RedisWaits _redis = new(all);
    private Dictionary<ulong, HeapObject>? _byTask;

    /// <summary>Null when nobody is known to complete a task.</summary>
    public WaitReason? Of(ulong task)
    {
        if (!(_byTask ??= Build()).TryGetValue(task, out HeapObject owner))
            return null;
        return all.Library.LayoutOf(owner)?.Kind switch
        {
            LibraryObject.HttpWaiter => _http.Read(owner),
            LibraryObject.ForEach => OfForEach(owner),
            LibraryObject.RedisMessage => _redis.Read(owner),
            LibraryObject.ObservableTask => OfObservable(owner),
            { } kind => _blocks.Read(owner, kind),
            null => null,
        };
    }

    private Dictionary<ulong, HeapObject> Build()
    {
        var found = new Dictionary<ulong, HeapObject>();
        foreach (HeapObject owner in Owners.SelectMany(all.Library.Of))
        {
            if (all.Library.LayoutOf(owner) is { } layout && all.Fields.Follow(owner, [.. layout.Task]) is { Address: not 0 } task)
                found.TryAdd(task.Address, owner);
        }
        return found;
    }

    // One reference is that of each body that still runs.
    private WaitReason OfForEach(HeapObject state) => new(WaitKind.Task, "Parallel.ForEachAsync")
    {
        Shared = all.Fields.Int32(state, "_completionRefCount") is > 0 and var bodies ? [new(WaitFactKey.Workers, bodies)] : [],
    };

    // The operator is the class around the one that does its work: ObservableImpl.FirstAsync<int>+Sequence+_.
    private WaitReason OfObservable(HeapObject observer)
    {
        const string operators = "System.Reactive.Linq.ObservableImpl.";
        HeapObject upstream = all.Fields.Follow(observer, "_disposable/_current");
        string? name = upstream.Address == 0 ? null : TypeLookup.Of(all.Target.Runtime, upstream.MethodTable())?.Name;
        string? from = name?.StartsWith(operators, StringComparison.Ordinal) == true ? name[operators.Length..].Split('+', '<', '`')[0] : null;
        return new(WaitKind.Task, "IObservable.ToTask") { Resource = observer.Address, Shared = from is null ? [] : [new(WaitFactKey.From, Text: from)] };
    }
}
