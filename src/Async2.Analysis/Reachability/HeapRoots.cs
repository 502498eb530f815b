using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Runtimes;
using Async2.Analysis.Threads.Unwinding;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Reachability;

/// <summary>
/// Everything by which a collector begins: handles (statics are behind those), the stacks of threads, thread statics, and what waits for its
/// finalizer. Weak handles count, too: by one of those a program may still get the object. Conclusions are drawn only if all of it could be read.
/// </summary>
internal sealed class HeapRoots
{
    private const int ObjectLimit = 50_000_000;

    // BIT_SBLK_FINALIZER_RUN of syncblk.h, .NET 5 to 11.
    private const uint FinalizerRun = 0x40000000;

    private readonly List<ulong> _roots = [];
    private readonly List<(ulong Primary, ulong Secondary)> _dependents = [];
    private readonly Dictionary<int, List<ulong>> _held = [];

    private HeapRoots()
    {
    }

    public IReadOnlyList<ulong> Roots => _roots;

    /// <summary>By managed id, what the stacks and the thread statics of those threads refer to that are held: it is not among <see cref="Roots"/>.</summary>
    public IReadOnlyDictionary<int, List<ulong>> Held => _held;

    /// <summary>Pairs of which the second is reached when the first is: of ConditionalWeakTable.</summary>
    public IReadOnlyList<(ulong Primary, ulong Secondary)> Dependents => _dependents;

    /// <summary>Objects whose finalizer runs once nothing reaches them; not those of which it was suppressed.</summary>
    public IReadOnlyList<ulong> Finalizable { get; private set; } = [];

    /// <summary>Why not all roots could be read; null if they could.</summary>
    public string? Fault { get; private set; }

    /// <summary>Reads all; stops at the first that cannot be read.</summary>
    /// <param name="target">The target.</param>
    /// <param name="heap">Its heap.</param>
    /// <param name="held">Managed ids of threads whose stacks are kept apart.</param>
    public static HeapRoots Read(Target target, MarkHeap heap, IEnumerable<int> held)
    {
        var roots = new HeapRoots();
        foreach (int thread in held)
            roots._held[thread] = [];
        roots.Fault = !target.Origin.IsStill ? "the process ran while it was read"
            : !target.Runtime.Heap.CanWalkHeap || target.IsCopiedInCollection ? "a garbage collection was going on"
            : DacCrash.LeavesThreadsOut ? "the stacks of threads were left out"
            : target.Memory.PointerSize != sizeof(ulong) ? "the target is not a 64-bit process"
            : roots.ReadHandles(target.Runtime) ?? roots.ReadThreads(target, heap);
        if (roots.Fault is not null)
            return roots;
        foreach (ClrRoot root in target.Runtime.Heap.EnumerateFinalizerRoots().Take(ObjectLimit))
            roots.Add(root.Object.Address);
        roots.Finalizable = [.. target.Runtime.Heap.EnumerateFinalizableObjects().Take(ObjectLimit).Select(item => item.Address).Where(item => IsWritten(target, item) && !IsSuppressed(target, item))];
        return roots;
    }

    // An object is in the list before the thread that made it writes what it is (coreclr, GCHeap::Alloc): it leads nowhere yet.
    private static bool IsWritten(Target target, ulong address) => MethodTables.TryRead(target.Memory, address, out ulong methodTable) && methodTable != 0;

    // GC.SuppressFinalize leaves an object in the list until the next collection, and sets a bit in the word before it: what was disposed of, such as a Timer.
    private static bool IsSuppressed(Target target, ulong address)
        => target.Memory.TryReadUInt32(address - sizeof(uint), out uint header) && (header & FinalizerRun) != 0;

    private string? ReadHandles(ClrRuntime runtime)
    {
        int strong = 0;
        foreach (ClrHandle handle in runtime.EnumerateHandles().Take(ObjectLimit))
        {
            if (handle.HandleKind == ClrHandleKind.Dependent)
            {
                _dependents.Add((handle.Object.Address, handle.Dependent.Address));
                continue;
            }
            strong += handle.IsStrong ? 1 : 0;
            Add(handle.Object.Address);
        }
        // Statics are in arrays that strong handles keep: a runtime has some always.
        return strong == 0 ? "the table of handles could not be read" : null;
    }

    private string? ReadThreads(Target target, MarkHeap heap)
    {
        if (ThreadStaticRoots.Of(target) is not { } statics)
            return "where this runtime keeps thread statics is not known";
        var objects = new HeapObjects(target, heap);
        var words = new StackWords(target, objects);
        foreach (ClrThread thread in target.Runtime.Threads.Where(thread => thread.Address != 0))
        {
            // What only that thread sees, such as the task whose delegate it runs.
            List<ulong> stack = thread.IsAlive ? _held.GetValueOrDefault(thread.ManagedThreadId, _roots) : _roots;
            if (!statics.Read(target.Memory, thread.Address, found => Add(found, stack)))
                return "the thread statics could not be read";
            if (!thread.IsAlive)
                continue;
            if (!ThreadContexts.Has(target, thread))
                return "the registers of a thread are not known";
            if (PhysicalStack.Of(thread).Repeats)
                return "the stack of a thread is damaged";
            if (!ReadFrames(target, thread, objects, stack))
                return "what the stack of a thread refers to could not be found";
            Add(thread.CurrentException?.Address ?? 0, stack);
            if (thread.GCMode == GCMode.Cooperative && !words.Read(thread, found => Add(found, stack)))
                return "the stack of a thread could not be read";
        }
        return null;
    }

    private static bool ReadFrames(Target target, ClrThread thread, HeapObjects objects, List<ulong> stack)
    {
        bool isRunning = thread.GCMode == GCMode.Cooperative, isWhole = true;
        foreach (ClrStackRoot root in thread.EnumerateStackRoots().Take(ObjectLimit))
        {
            ulong address = root.Object.Address;
            // Of a reference into an object ClrMD looks for the object, and may end at memory that another thread has taken and not written yet.
            if (root.IsInterior && !(root.Address != 0 && target.Memory.TryReadPointer(root.Address, out address)))
                isWhole &= isRunning || root.Object.IsValid;
            // Frames of a thread that runs may be misread; all that its stack could mean is added besides.
            Add(root.IsInterior || isRunning ? objects.At(address) : address, stack);
        }
        return isWhole;
    }

    private void Add(ulong address) => Add(address, _roots);

    private static void Add(ulong address, List<ulong> roots)
    {
        if (address != 0)
            roots.Add(address);
    }
}
