using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Surveys;

/// <summary>
/// What is known of the old part of the heap of the process that was looked at last. A second look finds most of it as it was: only what a collection may have
/// put into it since is looked through again.
/// </summary>
/// <param name="owner">The program that it is of; null for one of which it is not known whether it is the same one the next time.</param>
/// <param name="completed">Completed tasks are among what is noted.</param>
internal sealed class KnownHeap((int Pid, ProcessIdentity Identity)? owner, bool completed)
{
    private const int MostPages = 1 << 13;
    private static readonly object Gate = new();
    private static KnownHeap? _last;

    /// <summary>Segments, by their first object.</summary>
    public Dictionary<ulong, OldSegment> Segments { get; } = [];

    /// <summary>Segments, by their first object, with something in them that is not an object.</summary>
    public HashSet<ulong> Damaged { get; } = [];

    /// <summary>Pages without async objects that were asked for.</summary>
    public HashSet<ulong> Pages { get; } = [];

    /// <summary>How often all of the heap had been collected.</summary>
    public uint Old { get; set; }

    /// <summary>Completed tasks are among what is noted.</summary>
    public bool HasCompleted => completed;

    /// <summary>What is known of a program; nothing is if it is another one than the last.</summary>
    /// <param name="view">The program.</param>
    /// <param name="completed">Completed tasks have to be noted.</param>
    public static KnownHeap Of(ProcessView? view, bool completed)
    {
        if (view is not { Identity: { } identity })
            return new(null, completed);
        lock (Gate)
        {
            KnownHeap? last = _last;
            _last = null;
            return last is not null && last.IsOf(view.Pid, identity) && (last.HasCompleted || !completed) ? last : new((view.Pid, identity), completed);
        }
    }

    /// <summary>Keeps it for who looks next; until then nobody else has it.</summary>
    public void Keep()
    {
        if (owner is null)
            return;
        // Of what nobody asks for any more, most is gone some time.
        if (Pages.Count > MostPages)
            Pages.Clear();
        lock (Gate)
            _last = this;
    }

    /// <summary>Forgets all but the pages that were asked for.</summary>
    public void Clear()
    {
        Segments.Clear();
        Damaged.Clear();
    }

    private bool IsOf(int pid, ProcessIdentity identity) => owner == (pid, identity);
}
