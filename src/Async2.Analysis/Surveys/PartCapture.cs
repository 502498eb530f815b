using System.Collections.Immutable;
using Async2.Analysis.Layouts.Sources;
using Async2.Analysis.Model;
using Async2.Analysis.Reachability;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Stopping;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Surveys;

/// <summary>
/// Copies a process with a big heap, without what async code does not need of it (decision 66). Copied again if a first analysis asked for pages that were
/// not copied and had changed meanwhile; as a whole where none of that is possible.
/// </summary>
internal sealed class PartCapture : IDisposable
{
    private const int MostRounds = 3;

    // With a collection between each of so many looks and the stop, the program hardly does anything else.
    private const int MostAttempts = 8;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    // More than these would be a stop that people notice: 64 MB.
    private const int MostPages = 1 << 14;

    // Above this share of the old part there is nothing to gain.
    private const int ManyPercent = 70;

    private readonly Target _target;
    private readonly int _pid;
    private readonly ImmutableArray<Problem> _opened;
    private readonly string? _layoutFile;
    private readonly bool? _deep;
    private readonly KnownHeap _heap;
    private HeapSurvey? _survey;
    private CollectionClock? _clock;
    private TimeSpan _stopped;
    private int _round;

    private PartCapture(Target target, string? layoutFile, bool? deep, bool completed)
    {
        (_target, _pid, _opened, _heap) = (target, target.Origin.Pid!.Value, target.Origin.Problems, KnownHeap.Of(target.Origin.View, completed));
        (_layoutFile, _deep) = (layoutFile, deep);
    }

    /// <summary>Says what could not be read because it was not copied and had changed; null if nothing.</summary>
    public static Problem? ChangedIn(Target target) => target.Origin.Copy?.Old is { IsFinal: true, Changed.Count: > 0 and var pages }
        ? new(ProblemCodes.ChangedMeanwhile, FormattableString.Invariant($"{Count(pages)} of the heap had changed when they were read, after the process went on: what stands in them is missing (--freeze copy copies all of it)")) : null;

    /// <summary>Says that something was read later, of which it is only known that it is as it was before the process was stopped; null if nothing was.</summary>
    public static Problem? ReadLaterIn(Target target) => target.Origin.Copy?.Old is { IsRepeated: true } old && old.Asked.Count - old.Changed.Count is > 0 and var pages
        ? new(ProblemCodes.ReadLater, FormattableString.Invariant($"{Count(pages)} of the heap were read after the process went on: they are as they were before it was stopped, so what changed and changed back meanwhile is not seen (--freeze copy copies all of it)")) : null;

    private static string Count(int pages) => FormattableString.Invariant($"{pages:N0} {(pages == 1 ? "page" : "pages")}");

    /// <summary>Null if the target needs none: what is needed was copied when it was opened, or it is a dump.</summary>
    /// <param name="target">The target.</param>
    /// <param name="layoutFile">The user's description of its runtime; null for none.</param>
    /// <param name="deep">All objects of the heap are searched, or not; null if they are unless the heap is big.</param>
    /// <param name="completed">Completed tasks are wanted.</param>
    public static PartCapture? Of(Target target, string? layoutFile, bool? deep, bool completed)
        => target.Origin.IsToBeCopied ? new(target, layoutFile, deep, completed) : null;

    /// <summary>Whether what was copied was enough for what has been read of it.</summary>
    public bool IsEnough
    {
        get
        {
            if (_target.Origin.Copy?.Old is not { } old || old.IsFinal)
            {
                _heap.Keep();
                return true;
            }
            // A next copy, be it of a later look, has at once what this one lacked.
            _heap.Pages.UnionWith(old.Changed);
            _heap.Pages.UnionWith(old.Asked.Take(MostPages - _heap.Pages.Count));
            // That a page is the same before and after does not tell what it was in between, so it has to be copied, too.
            old.IsFinal = old.Asked.Count == 0 || (old.IsRepeated && old.Changed.Count == 0);
            if (old.IsFinal)
                _heap.Keep();
            return old.IsFinal;
        }
    }

    /// <summary>Copies the process; reads the copy from then on.</summary>
    /// <param name="progress">Receives which part of the heap is done.</param>
    /// <param name="cancellation">When set, nothing is copied.</param>
    public void Take(Action<double> progress, CancellationToken cancellation)
    {
        // Until it is copied, each collection of the process undoes some of what was done: that has a claim to some of the processors, even if the caller has none.
        ThreadUrgency.Set(ThreadUrgency.Niceness);
        if (_round++ > 0)
            _target.Use(ProcessAccess.Live, _opened);
        else
            Prepare();
        bool isPossible = _survey is not null;
        for (int attempt = 1; isPossible && attempt <= MostAttempts && !cancellation.IsCancellationRequested; attempt++)
        {
            if (_survey!.Update(progress, cancellation))
            {
                OldHeap old = _survey.Found;
                (old.IsRepeated, old.IsFinal) = (_round > 1, _round == MostRounds || _heap.Pages.Count > MostPages);
                isPossible = IsWorthwhile(old) && TryTake(old);
                if (isPossible && _target.Origin.Copy is not null)
                    return;
            }
            Thread.Sleep(Pause * attempt);
        }
        if (!cancellation.IsCancellationRequested)
            ProcessOpener.CopyAll(_target, isPossible ? _opened.Add(AlwaysCollects) : _opened, _stopped);
    }

    // A heap that is searched needs all of its objects.
    private void Prepare()
    {
        if (_deep ?? (_target.Options.Freeze == FreezeMode.Brief && !ReachReader.IsBig(_target)))
            return;
        _clock = CollectionClocks.Find(_pid, _target.Runtime.ClrInfo.ModuleInfo.ImageBase);
        if (_clock is not null)
            _survey = new(_target, LayoutSources.Read(_target, _layoutFile, new ProblemLog()), _clock, _heap);
    }

    private static Problem AlwaysCollects => new(ProblemCodes.CopiedAsWhole, FormattableString.Invariant(
        $"garbage was collected each of {MostAttempts} times between a look at the heap and the stop, so more had to be copied than what async code needs of it, or it was stopped for the whole analysis"));

    private bool IsWorthwhile(OldHeap old) => _target.Options.Freeze == FreezeMode.Parts || old.Copied < _survey!.Length / 100 * ManyPercent;

    // False if there is no sense in another attempt.
    private bool TryTake(OldHeap old)
    {
        ProcessAccess? access = ProcessAccess.TakeParts(_pid, MemoryBudget.Bytes, old, _clock!, _target.Options.StopLimit, out TimeSpan inVain);
        _stopped += inVain + (access?.Copy?.StoppedFor ?? default);
        if (access?.Copy is not { } copy)
            return access is not null;
        _target.Use(access with { Copy = copy with { StoppedFor = _stopped } }, _opened);
        if (_target.IsCopiedInCollection || !IsAsFound(old))
        {
            _target.Use(ProcessAccess.Live, _opened);
            _heap.Clear();
        }
        return true;
    }

    /// <inheritdoc/>
    public void Dispose() => _clock?.Dispose();

    // By what the copy says of its segments; those of big objects grow without a collection.
    private bool IsAsFound(OldHeap old)
    {
        var segments = _target.Runtime.Heap.Segments.ToLookup(segment => segment.Start);
        return old.Segments.All(known => segments[known.FirstObject].Any(segment => segment.Kind switch
        {
            GCSegmentKind.Generation2 => segment.End == known.LastObject,
            GCSegmentKind.Large or GCSegmentKind.Pinned => segment.End >= known.LastObject,
            _ => false,
        }));
    }
}
