using Async2.Analysis.Targets;

namespace Async2.Analysis.Reachability;

/// <summary>
/// Follows references from roots over the whole heap, on several processors. Objects that somebody watches are the
/// <see cref="GateKeeper"/>'s business; all others are followed.
/// </summary>
/// <param name="heap">The heap.</param>
/// <param name="shapes">Where references are.</param>
/// <param name="gates">Decides about watched objects.</param>
/// <param name="threads">How many threads mark.</param>
/// <param name="limit">How long each thread may work; null for as long as it takes.</param>
/// <param name="cancellation">Stops it.</param>
internal sealed class HeapMarker(MarkHeap heap, ObjectShapes shapes, GateKeeper gates, int threads, TimeSpan? limit, CancellationToken cancellation)
{
    private readonly MarkQueue _queue = new();
    private readonly List<Thread> _others = [];
    private MarkWorker? _first;
    private Exception? _failure;

    /// <summary>The heap.</summary>
    public MarkHeap Heap => heap;

    /// <summary>Where references are.</summary>
    public ObjectShapes Shapes => shapes;

    /// <summary>Decides about watched objects.</summary>
    public GateKeeper Gates => gates;

    /// <summary>Where an object was referred to that is none; null for nowhere.</summary>
    public ulong? Damage { get; private set; }

    /// <summary>The time was up, or somebody did not want to wait.</summary>
    public bool IsStopped => _queue.IsStopped;

    /// <summary>Follows from roots until nothing new is reached. Waiters are let go when all threads have come to their end.</summary>
    /// <param name="roots">Addresses of objects; others are left out.</param>
    /// <param name="follow">Objects that were reached before, and are to be followed now.</param>
    /// <param name="isEnough">Asked before waiters are let go: all that is in question is known. Null for nobody.</param>
    /// <returns>It was enough: what waiters refer to was not followed.</returns>
    public bool Run(IEnumerable<ulong> roots, IEnumerable<ulong> follow, Func<bool>? isEnough = null)
    {
        MarkWorker first = _first ??= new(this);
        (List<ulong> released, List<ulong> stacks) = gates.LetGo();
        foreach (ulong root in roots)
            first.Reach(root, 0);
        foreach (ulong address in follow)
            first.Follow(address);
        do
        {
            foreach (ulong address in released)
                first.Follow(address);
            foreach (ulong root in stacks)
                first.Reach(root, 0);
            RunToEnd(first);
            if (!IsStopped && isEnough?.Invoke() == true)
                return true;
            (released, stacks) = gates.LetGo();
        }
        while ((released.Count > 0 || stacks.Count > 0) && !IsStopped);
        return false;
    }

    private void RunToEnd(MarkWorker first)
    {
        _queue.Begin();
        Work(first);
        foreach (Thread other in _others)
            other.Join();
        _others.Clear();
        if (_failure is { } failure)
            throw new InvalidOperationException(failure.Message, failure);
    }

    // Small work is not worth a thread.
    private void StartOthers()
    {
        for (int i = 1; i < threads; i++)
        {
            var other = new Thread(() => Work(new MarkWorker(this))) { IsBackground = true };
            _others.Add(other);
            _queue.Join();
            other.Start();
        }
    }

    private void Work(MarkWorker worker)
    {
        try
        {
            do
                worker.Run();
            while (_queue.Take(ref worker.Stack));
        }
        catch (Exception e)
        {
            _failure ??= e;
            _queue.Stop();
        }
    }

    /// <summary>There is not an object where a reference led: all threads stop.</summary>
    public unsafe void Damaged(byte* item)
    {
        Damage = heap.AddressOf(item);
        _queue.Stop();
    }

    /// <summary>How long the calling thread may work; null for as long as it takes.</summary>
    public WorkLimit? NewLimit() => limit is { } time ? new(time) : null;

    /// <summary>Gives some of a thread's work away if another has none; false if it is to stop.</summary>
    /// <param name="stack">Its work.</param>
    /// <param name="work">How long it may work.</param>
    public bool MayGoOn(ref MarkStack stack, WorkLimit? work)
    {
        if (cancellation.IsCancellationRequested || work is { IsOver: true })
            _queue.Stop();
        // Only the first works where there are no others.
        if (threads > 1 && stack.Count >= MarkQueue.LeastShared && _others.Count == 0)
            StartOthers();
        _queue.Share(ref stack);
        return !_queue.IsStopped;
    }
}
