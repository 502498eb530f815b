using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Heap;

/// <summary>Gives segments to threads: this one, and as many others as there are processors and work.</summary>
/// <param name="makeWalk">Makes what a thread works with.</param>
/// <param name="isParallel">The target's memory may be read by several threads.</param>
/// <param name="caller">Reads for all others, which do the walking; null where each reads for itself.</param>
internal sealed class SegmentPasses(Func<SegmentWalk> makeWalk, bool isParallel, CallerThread? caller = null)
{
    private const int MostThreads = 8;

    // What one thread does in the time that it takes to start another.
    private const ulong ShareOfThread = 8 * 1024 * 1024;

    private int _next = -1;
    private long _bytes;
    private long _objects;

    /// <returns>The rows of each segment, in the order of the segments.</returns>
    public List<SegmentRows> Run(HeapRange[] segments, Action<ulong, long> progress)
    {
        var rows = new SegmentRows[segments.Length];
        ulong total = 0;
        foreach (HeapRange segment in segments)
            total += segment.Walked;
        int threads = isParallel || caller is not null ? (int)Math.Min(Math.Min((ulong)Environment.ProcessorCount, MostThreads), total / ShareOfThread + 1) : 1;
        if (caller is not null && threads > 1)
            return Serve(caller, threads, segments, progress);
        var failures = new List<Exception>();
        var others = new Thread[threads - 1];
        for (int i = 0; i < others.Length; i++)
        {
            others[i] = new Thread(() => Guarded(segments, rows, failures)) { IsBackground = true };
            others[i].Start();
        }
        try
        {
            Work(segments, rows, progress);
        }
        finally
        {
            foreach (Thread other in others)
                other.Join();
        }
        progress((ulong)_bytes, _objects);
        return failures.Count == 0 ? [.. rows] : throw new InvalidOperationException(failures[0].Message, failures[0]);
    }

    // So many threads walk, and this one reads for them.
    private List<SegmentRows> Serve(CallerThread caller, int threads, HeapRange[] segments, Action<ulong, long> progress)
    {
        var rows = new SegmentRows[segments.Length];
        var failures = new List<Exception>();
        caller.Expect(threads);
        var workers = new Thread[threads];
        for (int i = 0; i < workers.Length; i++)
        {
            workers[i] = new Thread(() => WalkFor(caller, segments, rows, failures)) { IsBackground = true };
            workers[i].Start();
        }
        caller.Serve();
        foreach (Thread worker in workers)
            worker.Join();
        progress((ulong)_bytes, _objects);
        return failures.Count == 0 ? [.. rows] : throw new InvalidOperationException(failures[0].Message, failures[0]);
    }

    private void WalkFor(CallerThread caller, HeapRange[] segments, SegmentRows[] rows, List<Exception> failures)
    {
        Guarded(segments, rows, failures);
        caller.Leave();
    }

    private void Guarded(HeapRange[] segments, SegmentRows[] rows, List<Exception> failures)
    {
        try
        {
            Work(segments, rows, null);
        }
        catch (Exception e)
        {
            lock (failures)
                failures.Add(e);
        }
    }

    private void Work(HeapRange[] segments, SegmentRows[] rows, Action<ulong, long>? progress)
    {
        SegmentWalk walk = makeWalk();
        for (int i = Interlocked.Increment(ref _next); i < segments.Length; i = Interlocked.Increment(ref _next))
            rows[i] = walk.Run(segments[i], Count);

        void Count(ulong bytes, long objects)
        {
            long allBytes = Interlocked.Add(ref _bytes, (long)bytes), allObjects = Interlocked.Add(ref _objects, objects);
            progress?.Invoke((ulong)allBytes, allObjects);
        }
    }
}
