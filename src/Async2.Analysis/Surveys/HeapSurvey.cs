using Async2.Analysis.Heap;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Stopping;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Surveys;

/// <summary>
/// Where async objects lie in the old part of a heap, found while the process runs. That stays true until a collection puts something into that part;
/// then only what was free is looked through again. Whatever is young, and what the collector did not say to be old, is not in it.
/// </summary>
internal sealed class HeapSurvey
{
    private const int MostThreads = 4;
    private const int MostMillisecondsOfCollection = 50;

    // What one thread does in the time that it takes to start another.
    private const ulong ShareOfThread = 8 * 1024 * 1024;

    // The heap for pinned objects has arrays only; as long as it is small it is copied as a whole.
    private const ulong MostPinned = 16 * 1024 * 1024;

    // Threads of this tool that look through a process give way to it: a program that is stuck does not need the processors, and one that is busy does.
    private const int Nice = 10;

    private readonly Target _target;
    private readonly CollectionClock _clock;
    private readonly HeapTypeReader _reader;
    private readonly HeapTypes _types;
    private readonly KnownHeap _heap;
    private IReadOnlyList<OldSegment> _marks = [];

    /// <param name="target">A process that runs and is read in place.</param>
    /// <param name="facts">What descriptions say of its runtime.</param>
    /// <param name="clock">Counts its collections.</param>
    /// <param name="heap">What is known of its heap; receives what is found.</param>
    public HeapSurvey(Target target, LayoutFacts facts, CollectionClock clock, KnownHeap heap)
    {
        (_target, _clock, _heap) = (target, clock, heap);
        _reader = new(target, facts);
        _types = new(_reader.Describe);
    }

    /// <summary>Bytes of the segments that are known.</summary>
    public ulong Length => _heap.Segments.Values.Aggregate(0ul, (sum, segment) => sum + segment.End - segment.Start);

    /// <summary>What is known, for a copy.</summary>
    public OldHeap Found => new([.. _heap.Segments.Values, .. _marks], _heap.Pages);

    /// <summary>Looks through what is not known, or not any more.</summary>
    /// <param name="progress">Receives which part of it is done.</param>
    /// <param name="cancellation">When set, it stops.</param>
    /// <returns>False if a collection interfered: what was found until then is kept for the next time.</returns>
    public bool Update(Action<double> progress, CancellationToken cancellation)
    {
        Collections now = Calm();
        if (now.IsBusy)
            return false;
        _target.Runtime.FlushCachedData();
        _target.Memory.Forget();
        if (now.Old != _heap.Old)
            _heap.Clear();
        _heap.Old = now.Old;
        ClrSegment[] segments = [.. _target.Runtime.Heap.Segments.Where(IsOld)];
        foreach (ulong gone in _heap.Segments.Keys.Except(segments.Select(segment => segment.Start)).ToArray())
            _heap.Segments.Remove(gone);
        ClrSegment[] stale = [.. segments.Where(segment => !_heap.Damaged.Contains(segment.Start) && !(_heap.Segments.TryGetValue(segment.Start, out OldSegment? known) && now.LeftOldAsIn(known.SeenAt)))];
        bool isWhole = Look(stale, now, progress, cancellation);
        _marks = [.. MarkBits.Of(_target, [.. _heap.Segments.Values.OrderBy(segment => segment.Start)], now)];
        return isWhole && _clock.Now.LeftOldAsIn(now);
    }

    private static bool IsOld(ClrSegment segment) => segment.Kind switch
    {
        GCSegmentKind.Generation2 or GCSegmentKind.Large => segment.ObjectRange.Length > 0,
        GCSegmentKind.Pinned => segment.ObjectRange.Length > MostPinned,
        _ => false,
    };

    private bool Look(ClrSegment[] segments, Collections listedAt, Action<double> progress, CancellationToken cancellation)
    {
        ulong total = segments.Aggregate(0ul, (sum, segment) => sum + segment.ObjectRange.Length);
        var kinds = new SurveyKinds(_target.Runtime.Heap.FreeType.MethodTable, _heap.HasCompleted);
        int next = -1, missed = 0;
        var threads = new Thread[(int)Math.Min((ulong)Math.Min(Environment.ProcessorCount, MostThreads), (total / ShareOfThread) + 1)];
        Exception? failure = null;
        for (int i = 0; i < threads.Length; i++)
        {
            threads[i] = new Thread(() =>
            {
                try
                {
                    ThreadUrgency.Set(Nice);
                    var walk = new SurveyWalk(_clock.Memory, _types, _reader, kinds);
                    for (int at = Interlocked.Increment(ref next); at < segments.Length && !cancellation.IsCancellationRequested; at = Interlocked.Increment(ref next))
                    {
                        progress((double)at / segments.Length);
                        if (!Look(segments[at], listedAt, walk))
                            Interlocked.Increment(ref missed);
                    }
                }
                catch (Exception e)
                {
                    failure = e;
                }
            })
            {
                IsBackground = true,
            };
            threads[i].Start();
        }
        new QuestionWatch(_target, _types).Join(threads);
        // Anything may come of reading a heap that is just being collected.
        return failure is null && missed == 0 && !cancellation.IsCancellationRequested;
    }

    // A collection that stops all threads is over in some milliseconds mostly.
    private Collections Calm()
    {
        Collections now = _clock.Now;
        for (int i = 0; i < MostMillisecondsOfCollection && now.IsBusy; i++)
        {
            Thread.Sleep(1);
            now = _clock.Now;
        }
        return now;
    }

    private bool Look(ClrSegment segment, in Collections listedAt, SurveyWalk walk)
    {
        // Where its objects end is of the moment at which segments were listed.
        Collections before = Calm();
        if (!before.LeftOldAsIn(listedAt))
            return false;
        OldSegment? known;
        lock (_heap)
            known = _heap.Segments.GetValueOrDefault(segment.Start);
        OldSegment? found = segment.Kind switch
        {
            GCSegmentKind.Large => walk.Large(segment.Start, segment.End, Whole(segment, before)),
            GCSegmentKind.Pinned => Whole(segment, before),
            _ when known is not null => walk.Again(known, segment.End, before),
            _ => walk.All(segment.Start, segment.End, before),
        };
        if (!_clock.Now.LeftOldAsIn(before))
            return false;
        lock (_heap)
        {
            if (found is not null)
                _heap.Segments[segment.Start] = found;
            else
                _heap.Damaged.Add(segment.Start);
        }
        return true;
    }

    // These grow while the process runs. Nothing in them is async but what is found now: it would take 85,000 bytes for its state.
    private static OldSegment Whole(ClrSegment segment, in Collections seenAt)
    {
        const ulong pageMask = ~(PageMap.PageSize - 1);
        ulong end = Math.Max(Math.Max(segment.CommittedMemory.End, segment.ReservedMemory.End), segment.End);
        return new(segment.Start & pageMask, (end + PageMap.PageSize - 1) & pageMask, seenAt) { FirstObject = segment.Start, LastObject = segment.End };
    }
}
