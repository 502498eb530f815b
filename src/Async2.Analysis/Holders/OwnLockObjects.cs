using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>A lock that a program made itself.</summary>
/// <param name="Reason">What its waiters wait for.</param>
/// <param name="Waiting">Addresses of the tasks that stand in its queue.</param>
internal sealed record OwnLockObject(WaitReason Reason, IReadOnlySet<ulong> Waiting);

/// <summary>Reads the objects of <see cref="OwnLocks"/>: what is free, and the promises in the queue, which leads over collections to them.</summary>
internal sealed class OwnLockObjects(Target target, LoadedModules modules, OwnLocks locks)
{
    private const string Source = PromiseCalls.Source;
    private const int ObjectLimit = 10_000;
    private const int EntryDistance = 2;

    private readonly Dictionary<ulong, OwnLockObject?> _known = [];
    private readonly Dictionary<ulong, IReadOnlySet<ulong>> _queued = [];

    /// <summary>Null for all other objects.</summary>
    public OwnLockObject? At(ulong address)
    {
        if (!_known.TryGetValue(address, out OwnLockObject? known))
            _known[address] = known = address == 0 ? null : Read(address);
        return known;
    }

    /// <summary>Promises in the queue of such an object, whatever its state says; none for all other objects.</summary>
    public IReadOnlySet<ulong> QueuedAt(ulong address)
    {
        if (!_queued.TryGetValue(address, out IReadOnlySet<ulong>? known))
            _queued[address] = known = TypeOf(address) is { Module: { } module } type && locks.Of(modules.Of(module), (int)type.MetadataToken) is not null ? QueuedIn(address, type) : new HashSet<ulong>();
        return known;
    }

    private OwnLockObject? Read(ulong address)
    {
        if (TypeOf(address) is not { Module: { } clrModule } type || modules.Of(clrModule) is not { } module || locks.Of(module, (int)type.MetadataToken) is not { } own
            || type.GetFieldByName(own.State) is not { Offset: >= 0 } field || IsSource(field.Type) || NumberIn(address + (ulong)target.Memory.PointerSize + (ulong)field.Offset, field) is not { } number)
            return null;
        HashSet<ulong> waiting = QueuedIn(address, type);
        // It is free, and some wait: the flag is not all that there is to it, as in a lock for readers and writers. Their promises tell more.
        if (own.IsFlag && number == 0 && waiting.Count > 0)
            return null;
        long free = own.IsFlag ? (number == 0 ? 1 : 0) : own.CountsFree ? Math.Max(0, number) : 0;
        return new OwnLockObject(new WaitReason(WaitKind.Semaphore, TypeName.Short(type.Name ?? "lock"))
        {
            Resource = address,
            Shared = [new(WaitFactKey.Free, free) { Of = own.IsFlag ? 1 : null }, new(WaitFactKey.Waiting, waiting.Count)],
        }, waiting);
    }

    // One that is made for all who wait is not an owner.
    private static bool IsSource(ClrType? type) => type?.Name?.StartsWith(Source, StringComparison.Ordinal) == true;

    // An owner is there or not.
    private int? NumberIn(ulong address, ClrInstanceField field) => field switch
    {
        { IsObjectReference: true } => target.Memory.TryReadPointer(address, out ulong owner) ? (owner == 0 ? 0 : 1) : null,
        { ElementType: ClrElementType.Boolean } => new HeapObject(target.Memory, address).Byte(0),
        { ElementType: ClrElementType.Int32 } => new HeapObject(target.Memory, address).Int32(0),
        _ => null,
    };

    // Breadth first, over its own fields, a queue that is a class of its own, collections, and what stands in these: a source, or an entry that has one.
    private HashSet<ulong> QueuedIn(ulong address, ClrType type)
    {
        var tasks = new HashSet<ulong>();
        var seen = new HashSet<ulong> { address };
        var ahead = new Queue<(ulong Item, int Far)>(ReferencesOf(address, type).Select(item => (item, 0)));
        while (seen.Count < ObjectLimit && ahead.TryDequeue(out (ulong Item, int Far) next))
        {
            if (!seen.Add(next.Item) || TypeOf(next.Item) is not { } found)
                continue;
            if (!found.IsArray && BaseTypes.Of(found).FirstOrDefault(IsSource) is { } source)
            {
                if (source.GetFieldByName("_task") is { Offset: >= 0 } task && target.Memory.TryReadPointer(next.Item + (ulong)target.Memory.PointerSize + (ulong)task.Offset, out ulong promise))
                    tasks.Add(promise);
                continue;
            }
            // A collection is as near as who has it, and so is the next entry of a list that a program links itself.
            bool isCollection = found.IsArray || found.Name?.StartsWith("System.Collections.", StringComparison.Ordinal) == true;
            foreach (ulong item in isCollection || next.Far < EntryDistance ? ReferencesOf(next.Item, found) : [])
                ahead.Enqueue((item, isCollection || TypeOf(item)?.MethodTable == found.MethodTable ? next.Far : next.Far + 1));
        }
        return tasks;
    }

    private IEnumerable<ulong> ReferencesOf(ulong item, ClrType type)
    {
        if (type is { IsArray: true, ComponentType: { IsValueType: true } entry, ComponentSize: > 0 and var size })
        {
            uint length = Math.Min(new HeapObject(target.Memory, item).Length() ?? 0, ObjectLimit);
            ulong first = item + (ulong)ArrayLayout.FirstElement(target.Memory);
            return Enumerable.Range(0, (int)length).SelectMany(i => ReferencesAt(first + (ulong)(i * size), entry));
        }
        return type.IsArray ? ArrayLayout.ReadReferences(target.Memory, item, ObjectLimit).Where(reference => reference != 0) : ReferencesAt(item + (ulong)target.Memory.PointerSize, type);
    }

    private IEnumerable<ulong> ReferencesAt(ulong fields, ClrType type)
        => type.Fields.Where(field => field is { IsObjectReference: true, Offset: >= 0 })
            .Select(field => target.Memory.TryReadPointer(fields + (ulong)field.Offset, out ulong reference) ? reference : 0).Where(reference => reference != 0);

    private ClrType? TypeOf(ulong item) => TypeLookup.OfObject(target.Runtime, target.Memory, item);
}
