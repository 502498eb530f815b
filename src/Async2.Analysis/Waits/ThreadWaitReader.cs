using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Blocking;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits;

/// <summary>Reads what a thread waits for that blocks in a method of the framework, and which thread holds it.</summary>
internal sealed class ThreadWaitReader
{
    // What counts signals, and waits through an event.
    private static readonly BlockingKind[] CountingKinds = [BlockingKind.Countdown, BlockingKind.Barrier];

    private readonly Dictionary<BlockingKind, BlockingReader[]> _kinds = [];
    private readonly WaitReaderContext _all;
    private readonly IReadOnlyList<IWaitReader> _families;
    private readonly HolderIndex _holders;
    private readonly SeveralHandles _several;
    private readonly FullPipes _pipes;
    private readonly LayoutCache<ThreadLayout> _threads;

    public ThreadWaitReader(Target target, LoadedModules modules, WaitResources resources)
    {
        _all = WaitFamilies.ContextOf(target, modules, resources);
        _families = [.. WaitFamilies.Open(_all).Select(family => family.Reader)];
        _holders = new HolderIndex(_all);
        _several = new SeveralHandles(_all);
        _pipes = new FullPipes(target);
        _threads = _all.Layouts(ThreadLayout.Of);
    }

    /// <summary>Never null: a thread that blocks does so in a method.</summary>
    /// <param name="thread">The innermost segment of a thread that blocks.</param>
    public WaitReason? Read(ThreadSegment thread)
    {
        if (thread.Initializer is { } initializer)
        {
            return new(WaitKind.Lock, TypeName.FromRuntimeName(initializer.Type), WaitAction.ClassInitializer)
            {
                Shared = [new(WaitFactKey.RunByThread, initializer.Thread)],
                Owner = initializer.Thread,
                Holders = [initializer.Thread],
            };
        }
        if (thread.IsInSystem)
            return new(WaitKind.Native) { Shared = [new(WaitFactKey.InSystemCall), .. _pipes.Of(thread.ThreadId)] };
        if (thread.BlockedBy?.Facts is not { } method)
            return null;
        if (_several.Of(method, thread.Roots) is { } several)
            return several;
        WaitReason? reason = Read(method.DeclaringType.FullName, method.RawName, thread.Roots, thread.ThreadId);
        return reason is { Owner: { } owner } && LazyIn(thread.Roots, reason.Resource) is { } lazy
            ? reason with { Subject = lazy, Shared = [new(WaitFactKey.MadeByThread, owner)] }
            : reason;
    }

    // The thread that creates a lazy value holds the monitor of its state.
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
    public WaitReason? Read(string blockingType, string blockingMethod, IReadOnlyList<ulong> roots, int managedThreadId)
    {
        BlockingKind kind = BlockingCalls.Of(blockingType, blockingMethod);
        if (ReadersOf(kind) is { Length: > 0 } readers)
        {
            foreach (ulong address in roots.Concat(Holders(roots)).Where(r => r != 0).Distinct())
            {
                foreach (BlockingReader read in readers)
                {
                    if (read(_all.At(address), managedThreadId) is not { } reason)
                        continue;
                    return kind == BlockingKind.Socket && BlockingCalls.Sends(blockingMethod) ? Outgoing(reason)
                        : kind == BlockingKind.Event ? Outer(address, managedThreadId) ?? reason : reason;
                }
            }
        }
        // Only if it names no other one: a thread's frames may have its own object for many reasons.
        if (kind == BlockingKind.ThreadJoin && roots.Select(_all.At).FirstOrDefault(item => _threads.Of(item) is { } layout && item.Int32(layout.ManagedId) == managedThreadId) is { Address: not 0 and var own })
            return LockReader.OfThread(own, managedThreadId);
        if (kind == BlockingKind.Finalizers && _all.Target.Runtime.Threads.FirstOrDefault(t => t.IsFinalizer && t.IsAlive)?.ManagedThreadId is { } finalizer)
            return LockReader.OfThread(0, finalizer, blockingType == "System.GC" ? "GC.WaitForPendingFinalizers" : "Environment.Exit");
        return blockingMethod.Length == 0 ? null : new(KindOf(kind), $"{ShortName(blockingType)}.{blockingMethod}");
    }

    // Where the optimiser has left out the method of a CountdownEvent that the program called, the thread waits for the event inside of it.
    private WaitReason? Outer(ulong inner, int managedThreadId)
        => _holders.Of(inner) is not 0 and var outer ? CountingKinds.SelectMany(ReadersOf).Select(read => read(_all.At(outer), managedThreadId)).FirstOrDefault(reason => reason is not null) : null;

    // The other end is to take something, not to send it.
    private static WaitReason Outgoing(WaitReason reason)
        => reason with { Shared = [.. reason.Shared.Select(fact => fact.Key == WaitFactKey.RemoteSource ? fact with { Key = WaitFactKey.RemoteTarget } : fact)] };

    // A library knows more of what its objects are waited for than the framework does: it comes first in the list.
    private BlockingReader[] ReadersOf(BlockingKind kind)
    {
        if (!_kinds.TryGetValue(kind, out BlockingReader[]? readers))
            _kinds[kind] = readers = [.. _families.Select(family => family.ReaderOf(kind)).OfType<BlockingReader>()];
        return readers;
    }

    /// <summary>A method that is known to block: the outermost one of the framework's frames is what the user called.</summary>
    public static bool IsBlocking(string type, string method) => BlockingCalls.Of(type, method) != BlockingKind.Unknown;

    // Used only if none of the roots is known: it may need a heap walk.
    private IEnumerable<ulong> Holders(IReadOnlyList<ulong> roots)
    {
        foreach (ulong root in roots)
            yield return _holders.Of(root);
    }

    private static WaitKind KindOf(BlockingKind kind) => kind switch
    {
        BlockingKind.MonitorEnter or BlockingKind.Lock or BlockingKind.ReaderWriterLock => WaitKind.Lock,
        BlockingKind.Semaphore => WaitKind.Semaphore,
        BlockingKind.Task => WaitKind.Task,
        BlockingKind.ThreadSleep or BlockingKind.LockedDatabase => WaitKind.Timer,
        BlockingKind.Socket or BlockingKind.Sockets => WaitKind.Socket,
        BlockingKind.Process => WaitKind.Process,
        BlockingKind.Event or BlockingKind.Countdown or BlockingKind.Barrier or BlockingKind.WaitHandle => WaitKind.Event,
        BlockingKind.BlockingCollection => WaitKind.Channel,
        _ => WaitKind.Thread,
    };

    private static string ShortName(string type) => TypeName.Short(TypeName.FromRuntimeName(type));
}
