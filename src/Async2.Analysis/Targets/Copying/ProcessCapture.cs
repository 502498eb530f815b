using System.Diagnostics;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// Copies a process. Everything slow that does not require a stopped process comes before the stop: estimating the size of
/// the copy, reserving space for it, and running the code once that runs during the stop.
/// </summary>
internal sealed class ProcessCapture : IDisposable
{
    private const int WarmupRuns = 4;

    private readonly int _pid;
    private readonly OldHeap? _old;
    private readonly CopySpace _space = new();
    private CopyTeam? _team;

    private ProcessCapture(int pid, OldHeap? old) => (_pid, _old) = (pid, old);

    /// <summary>Prepares a capture.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="budget">The maximum size of a copy, in bytes.</param>
    /// <param name="old">A part of its heap that is not copied as a whole; null for none.</param>
    /// <returns>Null if the copy would be bigger, or if this machine has not enough memory.</returns>
    /// <exception cref="IOException">The process has ended.</exception>
    /// <exception cref="InvalidOperationException">The process has just ended.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static ProcessCapture? TryPrepare(int pid, ulong budget, OldHeap? old = null)
    {
        CopyPlan plan = CopyPlan.Of(pid, old);
        if (plan.IsTooBig || plan.Bytes > budget)
            return null;
        var capture = new ProcessCapture(pid, old);
        try
        {
            if (capture._space.Prepare(plan))
            {
                // What is strewn over a big heap is copied once before: then page tables and memory that hardly change are in the caches of the processor when it counts.
                using (var warmup = new CopyTeam(pid, hasHelp: true))
                    capture.Copy(warmup, plan.Runs.Take(WarmupRuns), capture._space.Packed);
                ProcessView.Of(pid).Confirm().Dispose();
                return capture;
            }
            capture.Dispose();
            return null;
        }
        catch
        {
            capture.Dispose();
            throw;
        }
    }

    /// <summary>Starts the thread that helps to copy, as urgent as the caller's; before the process is stopped.</summary>
    public void Gather() => _team ??= new(_pid, hasHelp: true);

    /// <summary>Copies a stopped process, and releases it.</summary>
    /// <param name="freeze">Holds it; disposed as soon as everything is copied.</param>
    /// <returns>Null if it was released before: its time was up.</returns>
    /// <exception cref="InvalidOperationException">The process has ended.</exception>
    public ProcessCopy? Take(ProcessFreeze freeze)
    {
        int niceness = ThreadUrgency.Raise();
        try
        {
            ProcessView view = ProcessView.Of(_pid);
            CopyPlan plan = CopyPlan.Of(_pid, _old);
            Dictionary<uint, byte[]> threads = freeze.Registers(_pid);
            ImageRange[] ranges = Copy(plan);
            view = view.Confirm();
            freeze.Dispose();
            if (!freeze.IsOver)
                return new() { Pid = _pid, Image = new(ranges, _space), Mappings = plan.Mappings, View = view, TakenAt = freeze.Since, StoppedFor = freeze.StoppedFor, Threads = threads, Old = _old };
            view.Dispose();
            Dispose();
            return null;
        }
        catch
        {
            freeze.Dispose();
            Dispose();
            throw;
        }
        finally
        {
            ThreadUrgency.Set(niceness);
        }
    }

    /// <summary>Copies a process that a debugger holds; null if none does, or if it let a thread run meanwhile.</summary>
    /// <param name="told">Registers from the debugger, by thread id.</param>
    /// <param name="unknown">The number of threads with unknown registers.</param>
    /// <exception cref="InvalidOperationException">The process has ended.</exception>
    public ProcessCopy? TryTakeHeld(IReadOnlyDictionary<uint, byte[]> told, out int unknown)
    {
        unknown = 0;
        if (TracedThreads.Of(_pid, told) is not { } threads)
            return null;
        unknown = threads.Unknown;
        long taken = Stopwatch.GetTimestamp();
        ProcessView view = ProcessView.Of(_pid);
        CopyPlan plan = CopyPlan.Of(_pid);
        MemoryImage image = new(Copy(plan), _space);
        view = view.Confirm();
        return threads.WereStopped()
            ? new() { Pid = _pid, Image = image, Mappings = plan.Mappings, View = view, TakenAt = taken, IsHeld = true, Threads = threads.Registers }
            : null;
    }

    /// <summary>Copies a running process, and reads it again at once to find changes.</summary>
    /// <exception cref="InvalidOperationException">The process has ended.</exception>
    public ProcessCopy TakeRunning()
    {
        try
        {
            ProcessView view = ProcessView.Of(_pid);
            CopyPlan plan = CopyPlan.Of(_pid);
            // In the order of the plan.
            using var alone = new CopyTeam(_pid, hasHelp: false);
            MemoryImage image = new(Copy(plan, alone), _space);
            long taken = Stopwatch.GetTimestamp();
            ChangedPages changed = ChangedPages.Compare(_pid, image, plan.Runs);
            view = view.Confirm();
            return new() { Pid = _pid, Image = image, Mappings = plan.Mappings, View = view, TakenAt = taken, Changed = changed };
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Frees the memory; only if no copy was made of it.</summary>
    public void Dispose()
    {
        _team?.Dispose();
        _space.Dispose();
    }

    // Memory that came after the preparation (the stack of a new thread, a heap that grew) has no place yet. A mapping gets one as a whole, before
    // any of its pages does: a page with a place of its own would be missing from the mapping's, which shows zeros there.
    private ImageRange[] Copy(CopyPlan plan, CopyTeam? team = null)
    {
        if (team is null)
            Gather();
        ImageRange[] ranges = [.. plan.Ranges.Select(range => new ImageRange(range.Start, range.Length, Place(range))), .. _space.Packed];
        Copy(team ?? _team!, plan.Runs, _space.Packed);
        return ranges;
    }

    private void Copy(CopyTeam team, IEnumerable<MemorySlice> runs, IEnumerable<ImageRange> packed)
    {
        // What is strewn is still in the caches, from which all else would push it.
        foreach (ImageRange range in packed)
            team.Add(new(range.Start, (nuint)range.Length), range.Data);
        foreach (MemorySlice run in runs)
            team.Add(run, Place(run));
        team.Copy();
    }

    // Leaving it out would mean reading it later, at another moment.
    private nint Place(MemorySlice slice) => _space.Place(slice) is not 0 and var place ? place : throw new InvalidOperationException("there is no address space left for a copy of it");
}
