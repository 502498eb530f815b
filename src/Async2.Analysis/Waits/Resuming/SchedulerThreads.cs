using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Pool;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Resuming;

/// <summary>Threads on which it depends whether a scheduler comes to what is queued to it.</summary>
/// <param name="Threads">Managed ids, ascending; empty if another one may do it, or nobody knows.</param>
/// <param name="NeedsAll">All of them have to come back; otherwise one is enough.</param>
/// <param name="IsInferred">That no other thread will do it follows from what is queued, and is not noted.</param>
internal readonly record struct SchedulerService(IReadOnlyList<int> Threads, bool NeedsAll = false, bool IsInferred = false);

/// <summary>
/// Says who runs the tasks of a TaskScheduler. It has no record of that: those that run one of its tasks, and those that wait for one in its code.
/// A scheduler that may take another thread at any time (of the pool, or a new one) is left out, unless it has not done so for what is queued.
/// </summary>
/// <param name="all">The target's objects.</param>
/// <param name="segments">What threads do.</param>
/// <param name="schedulerOf">The scheduler of a task; 0 for the default one.</param>
/// <param name="pool">The thread pool.</param>
internal sealed class SchedulerThreads(WaitReaderContext all, IReadOnlyList<ThreadSegment> segments, Func<ulong, ulong> schedulerOf, Func<PoolReader> pool)
{
    private const string Base = "System.Threading.Tasks.TaskScheduler";
    private const string OfPair = "System.Threading.Tasks.ConcurrentExclusiveSchedulerPair+ConcurrentExclusiveTaskScheduler";

    // A queue of its own, or one behind an object of its own.
    private const int QueueDistance = 2;

    private readonly ReferenceMaps _references = new(all.Target.Memory);
    private HashSet<int>? _workers;

    /// <summary>Who serves a scheduler.</summary>
    /// <param name="scheduler">Its address.</param>
    /// <param name="type">Its type.</param>
    /// <param name="isQueued">Something is queued to it: it had its chance to take another thread.</param>
    public SchedulerService Of(ulong scheduler, ClrType type, bool isQueued)
    {
        if (type.Name == OfPair)
            return InPair(all.At(scheduler));
        int[] runners = RunnersOf(scheduler);
        // A worker that it has run something on, which went on there: an awaiter's action is not a task of its own.
        if (runners.Length == 0)
            runners = [.. Waiting(scheduler, type).Where(Workers().Contains).Distinct().Order()];
        if (runners.Length == 0)
            return new([]);
        if (Array.Exists(runners, Workers().Contains))
            return isQueued && IsPoolAtRest() ? new(runners, IsInferred: true) : new([]);
        return HasQueue(scheduler, QueueDistance) ? new([.. runners.Concat(Waiting(scheduler, type)).Distinct().Order()]) : new([]);
    }

    // While an exclusive task runs, nothing else does; what is exclusive waits until all others are done.
    private SchedulerService InPair(HeapObject scheduler)
    {
        HeapObject pair = all.Fields.Follow(scheduler, "m_pair"), exclusive = all.Fields.Follow(pair, "m_exclusiveTaskScheduler"), concurrent = all.Fields.Follow(pair, "m_concurrentTaskScheduler");
        if (all.Fields.Int32(pair, "m_processingCount") is not { } running || exclusive.Address == 0 || concurrent.Address == 0)
            return new([]);
        if (running < 0)
            return new(RunnersOf(exclusive.Address));
        int[] readers = RunnersOf(concurrent.Address);
        if (scheduler.Address == exclusive.Address)
            return new(readers, NeedsAll: true);
        return all.Fields.Int32(scheduler, "m_maxConcurrencyLevel") is { } most && running >= most && readers.Length == running ? new(readers) : new([]);
    }

    private int[] RunnersOf(ulong scheduler) => [.. segments.Where(segment => segment.Task != 0 && schedulerOf(segment.Task) == scheduler).Select(segment => segment.ThreadId).Distinct().Order()];

    // It has not queued itself to the pool, and no worker is on its way to it.
    private bool IsPoolAtRest()
    {
        HashSet<int> blocked = [.. segments.Where(segment => segment.IsBlocked).Select(segment => segment.ThreadId)];
        return pool() is { Queue: { Count: 0, IsWhole: true }, Counts: { } counts } && counts.Working <= Workers().Count(blocked.Contains);
    }

    private HashSet<int> Workers() => _workers ??= [.. pool().Workers()];

    // A thread that has no task of it stands in its code, or in that of an object that knows it.
    private IEnumerable<int> Waiting(ulong scheduler, ClrType type)
    {
        string[] own = [.. BaseTypes.Of(type).Select(one => one.Name).OfType<string>().TakeWhile(name => name != Base)];
        HashSet<int> others = [.. segments.Where(segment => segment.Task != 0 && schedulerOf(segment.Task) is not 0 and var other && other != scheduler).Select(segment => segment.ThreadId)];
        foreach (ThreadSegment segment in segments.Where(segment => !others.Contains(segment.ThreadId)))
        {
            string[] types = [.. segment.Frames.Select(frame => frame.Method.Facts?.DeclaringType.FullName).OfType<string>()];
            if (Array.Exists(types, name => Array.Exists(own, its => IsWithin(name, its)))
                ? !segment.Roots.Any(root => root != scheduler && IsOf(root, own)) || segment.Roots.Any(root => root == scheduler || Leads(root, scheduler))
                : segment.Roots.Any(root => Leads(root, scheduler) && TypeLookup.Of(all.Target.Runtime, all.At(root).MethodTable())?.Name is { } holder && types.Contains(Plain(holder))))
                yield return segment.ThreadId;
        }
    }

    private bool IsOf(ulong address, string[] own) => TypeLookup.Of(all.Target.Runtime, all.At(address).MethodTable())?.Name is { } name && own.Contains(name);

    private bool Leads(ulong address, ulong scheduler) => ReferencesOf(address).Contains(scheduler) && !IsTask(address);

    // Metadata has no type arguments.
    private static string Plain(string name) => name.Split('<', '[')[0];

    private static bool IsWithin(string name, string type) => name == Plain(type) || name.StartsWith(Plain(type) + "+", StringComparison.Ordinal) || name.StartsWith(Plain(type) + "`", StringComparison.Ordinal);

    // One that makes a thread for each task has none.
    private bool HasQueue(ulong address, int distance)
        => ReferencesOf(address).Any(reference => (TypeLookup.Of(all.Target.Runtime, all.At(reference).MethodTable()) is { Name: { } name } && name.Contains("<" + TaskLayout.TypeName, StringComparison.Ordinal))
            || (distance > 1 && !IsTask(reference) && HasQueue(reference, distance - 1)));

    private bool IsTask(ulong address) => TypeLookup.Of(all.Target.Runtime, all.At(address).MethodTable()) is { } type && BaseTypes.Find(type, TaskLayout.TypeName) is not null;

    private IEnumerable<ulong> ReferencesOf(ulong address)
    {
        HeapObject item = all.At(address);
        return address == 0 ? [] : _references.Of(item.MethodTable()).Offsets.Select(item.Reference).Where(reference => reference != 0);
    }
}
