using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Targets;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Operations;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>Says what a thread waits for that blocks in a method of the framework, and which thread holds it.</summary>
internal sealed class ThreadWaitReader
{
    private readonly Dictionary<BlockingKind, Func<HeapObject, int, WaitFacts?>> _kinds;
    private readonly WaitReaderContext _all;
    private readonly HolderIndex _holders;

    public ThreadWaitReader(Target target, LoadedModules modules, WaitResources resources)
    {
        _all = WaitReaderContext.Of(target, modules, resources);
        _holders = new HolderIndex(_all);
        var locks = new LockReader(_all);
        var monitors = new MonitorReader(target);
        var events = new EventReader(_all);
        var sockets = new SocketWaits(_all);
        _kinds = new()
        {
            [BlockingKind.MonitorEnter] = monitors.Enter,
            [BlockingKind.Lock] = locks.Lock,
            [BlockingKind.ReaderWriterLock] = locks.ReaderWriter,
            [BlockingKind.Semaphore] = (item, _) => events.Semaphore(item),
            [BlockingKind.Event] = (item, _) => events.Event(item),
            [BlockingKind.Countdown] = (item, _) => events.Countdown(item),
            [BlockingKind.Barrier] = (item, _) => events.Barrier(item),
            [BlockingKind.BlockingCollection] = (item, _) => events.BlockingCollection(item),
            [BlockingKind.WaitHandle] = (item, _) => events.WaitHandle(item),
            [BlockingKind.ThreadJoin] = locks.Joined,
            [BlockingKind.MonitorWait] = monitors.Wait,
            [BlockingKind.Task] = (item, _) => events.AllTasks(item),
            [BlockingKind.Socket] = (item, _) => sockets.Of(item),
        };
    }

    /// <summary>Never null: a thread that blocks does so in a method.</summary>
    /// <param name="thread">The innermost segment of a thread that blocks.</param>
    public WaitFacts? Read(ThreadSegment thread)
    {
        if (thread.Initializer is { } initializer)
        {
            return new(WaitFamily.Lock, "class initializer of " + TypeName.FromRuntimeName(initializer.Type), FormattableString.Invariant($"run by thread {initializer.Thread}"), null, 0)
            {
                Owner = initializer.Thread,
                Holders = [initializer.Thread],
            };
        }
        if (thread.BlockedBy?.Facts is not { } method)
            return null;
        WaitFacts? facts = Read(method.DeclaringType.FullName, method.RawName, thread.Roots, thread.ThreadId);
        return facts is { Owner: { } owner } && LazyIn(thread.Roots, facts.Resource) is { } lazy
            ? facts with { What = lazy, State = FormattableString.Invariant($"made by thread {owner}") }
            : facts;
    }

    // Who makes a lazy value has entered the monitor of its state.
    private string? LazyIn(IReadOnlyList<ulong> roots, ulong entered)
    {
        if (NameOf(entered) != "System.LazyHelper")
            return null;
        string? lazy = roots.Select(NameOf).FirstOrDefault(name => name?.StartsWith("System.Lazy<", StringComparison.Ordinal) == true);
        return lazy is null ? "Lazy" : TypeName.Short(TypeName.FromRuntimeName(lazy));
    }

    private string? NameOf(ulong address)
        => TypeLookup.Of(_all.Target.Runtime, _all.At(address).MethodTable())?.Name;

    /// <summary>Never null for a method that has a name: what is not known is called by it.</summary>
    /// <param name="blockingType">Full name of the type that declares the method in which the thread blocks.</param>
    /// <param name="blockingMethod">The method's name in metadata.</param>
    /// <param name="roots">Objects that the innermost frames hold, innermost first.</param>
    /// <param name="managedThreadId">The thread itself, which cannot wait for what it holds.</param>
    public WaitFacts? Read(string blockingType, string blockingMethod, IReadOnlyList<ulong> roots, int managedThreadId)
    {
        BlockingKind kind = BlockingCalls.Of(blockingType, blockingMethod);
        if (_kinds.TryGetValue(kind, out Func<HeapObject, int, WaitFacts?>? read))
        {
            foreach (ulong address in roots.Concat(Holders(roots)).Where(r => r != 0).Distinct())
            {
                if (read(_all.At(address), managedThreadId) is { } facts)
                    return facts;
            }
        }
        return blockingMethod.Length == 0 ? null : new(FamilyOf(kind), $"{ShortName(blockingType)}.{blockingMethod}", null, null, 0);
    }

    /// <summary>A method that is known to block: the outermost one of the framework's frames is what the user called.</summary>
    public static bool IsBlocking(string type, string method) => BlockingCalls.Of(type, method) != BlockingKind.Unknown;

    // Asked only when no root itself will do: it may need a walk over the heap.
    private IEnumerable<ulong> Holders(IReadOnlyList<ulong> roots)
    {
        foreach (ulong root in roots)
            yield return _holders.Of(root);
    }

    private static WaitFamily FamilyOf(BlockingKind kind) => kind switch
    {
        BlockingKind.MonitorEnter or BlockingKind.Lock or BlockingKind.ReaderWriterLock => WaitFamily.Lock,
        BlockingKind.Semaphore => WaitFamily.Semaphore,
        BlockingKind.Task => WaitFamily.Task,
        BlockingKind.ThreadSleep => WaitFamily.Timer,
        BlockingKind.Socket => WaitFamily.Socket,
        BlockingKind.Event or BlockingKind.Countdown or BlockingKind.Barrier or BlockingKind.WaitHandle => WaitFamily.Event,
        BlockingKind.BlockingCollection => WaitFamily.Channel,
        _ => WaitFamily.Thread,
    };

    private static string ShortName(string type) => TypeName.Short(TypeName.FromRuntimeName(type));
}
