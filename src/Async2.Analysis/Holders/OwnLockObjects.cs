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
    private const string Source = "System.Threading.Tasks.TaskCompletionSource";
    private const int ObjectLimit = 10_000;

    private readonly Dictionary<ulong, OwnLockObject?> _known = [];

    /// <summary>Null for all other objects.</summary>
    public OwnLockObject? At(ulong address)
    {
        if (!_known.TryGetValue(address, out OwnLockObject? known))
            _known[address] = known = address == 0 ? null : Read(address);
        return known;
    }

    private OwnLockObject? Read(ulong address)
    {
        if (TypeOf(address) is not { Module: { } clrModule } type || modules.Of(clrModule) is not { } module || locks.Of(module, (int)type.MetadataToken) is not { } own
            || type.GetFieldByName(own.State) is not { Offset: >= 0 } field || NumberIn(address + (ulong)target.Memory.PointerSize + (ulong)field.Offset, field) is not { } number)
            return null;
        HashSet<ulong> waiting = QueuedIn(address, type);
        long free = own.IsFlag ? (number == 0 ? 1 : 0) : own.CountsFree ? Math.Max(0, number) : 0;
        return new OwnLockObject(new WaitReason(WaitKind.Semaphore, TypeName.Short(type.Name ?? "lock"))
        {
            Resource = address,
            Shared = [new(WaitFactKey.Free, free) { Of = own.IsFlag ? 1 : null }, new(WaitFactKey.Waiting, waiting.Count)],
        }, waiting);
    }

    private int? NumberIn(ulong address, ClrInstanceField field)
    {
        if (field.ElementType == ClrElementType.Boolean)
            return new HeapObject(target.Memory, address).Byte(0);
        return field.ElementType == ClrElementType.Int32 ? new HeapObject(target.Memory, address).Int32(0) : null;
    }

    // Breadth first, over its own fields, a queue that is a class of its own, and collections.
    private HashSet<ulong> QueuedIn(ulong address, ClrType type)
    {
        var tasks = new HashSet<ulong>();
        var seen = new HashSet<ulong> { address };
        var ahead = new Queue<(ulong Item, bool IsOwn)>(ReferencesOf(address, type).Select(item => (item, true)));
        while (seen.Count < ObjectLimit && ahead.TryDequeue(out (ulong Item, bool IsOwn) next))
        {
            if (!seen.Add(next.Item) || TypeOf(next.Item) is not { } found)
                continue;
            if (!found.IsArray && BaseTypes.Of(found).FirstOrDefault(level => level.Name?.StartsWith(Source, StringComparison.Ordinal) == true) is { } source)
            {
                if (source.GetFieldByName("_task") is { Offset: >= 0 } task && target.Memory.TryReadPointer(next.Item + (ulong)target.Memory.PointerSize + (ulong)task.Offset, out ulong promise))
                    tasks.Add(promise);
                continue;
            }
            bool isCollection = found.IsArray || found.Name?.StartsWith("System.Collections.", StringComparison.Ordinal) == true;
            foreach (ulong item in isCollection || next.IsOwn ? ReferencesOf(next.Item, found) : [])
                ahead.Enqueue((item, false));
        }
        return tasks;
    }

    private IEnumerable<ulong> ReferencesOf(ulong item, ClrType type)
    {
        if (type.IsArray)
            return type.ComponentType is { IsObjectReference: true } ? ArrayLayout.ReadReferences(target.Memory, item, ObjectLimit).Where(reference => reference != 0) : [];
        return type.Fields.Where(field => field is { IsObjectReference: true, Offset: >= 0 })
            .Select(field => target.Memory.TryReadPointer(item + (ulong)target.Memory.PointerSize + (ulong)field.Offset, out ulong reference) ? reference : 0).Where(reference => reference != 0);
    }

    private ClrType? TypeOf(ulong item) => MethodTables.TryRead(target.Memory, item, out ulong table) ? TypeLookup.Of(target.Runtime, table) : null;
}
