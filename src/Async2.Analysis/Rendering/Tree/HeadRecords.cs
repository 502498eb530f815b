using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Changes;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Tree;

/// <summary>Where and when a target was read.</summary>
internal sealed record CaptureRecord
{
    [Description("When, as 2026-11-25T19:41:07Z; absent for a dump, which does not record when it was written.")]
    public string? TakenAt { get; init; }

    [Description("Name of the machine that read it.")]
    public string? Host { get; init; }

    [Description("Name of the process.")]
    public string? Process { get; init; }

    [Description("Command line, program first; not with --redact.")]
    public string? CommandLine { get; init; }

    /// <summary>Null if nothing is known.</summary>
    public static CaptureRecord? Of(TargetFacts target)
    {
        var record = new CaptureRecord
        {
            TakenAt = TimeOf(target),
            Host = SafeText.Escape(target.HostName),
            Process = SafeText.Escape(target.ProcessName),
            CommandLine = SafeText.Escape(target.CommandLine),
        };
        return record == new CaptureRecord() ? null : record;
    }

    /// <summary>When a target was read, by the clock of the machine that did; null if it is not known.</summary>
    public static string? TimeOf(TargetFacts target) => target.TakenAt?.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss'Z'", CultureInfo.InvariantCulture);
}

/// <summary>What somebody has noted about stacks.</summary>
/// <param name="Key">Key of the stacks.</param>
/// <param name="Text">The note; empty if they are only pinned.</param>
internal sealed record NoteRecord(string Key, string Text);

/// <summary>What became of stacks since an earlier look.</summary>
internal sealed record SinceRecord
{
    // A page of a process in which everything has changed must not be as long as both looks.
    private const int GoneLimit = 200;

    [SetsRequiredMembers]
    internal SinceRecord(LookChanges changes, bool isPinned)
    {
        TakenAt = CaptureRecord.TimeOf(changes.Before);
        ApartMs = changes.ApartMs;
        Totals = new(changes.Totals);
        Pinned = isPinned ? true : null;
        Gone = changes.Gone.Take(GoneLimit).Select(group => new GoneRow(group));
        MoreGone = changes.Gone.Length > GoneLimit ? changes.Gone.Skip(GoneLimit).Sum(group => group.Counts.Gone) : null;
    }

    [Description("When the earlier look was taken; absent if that is not known.")]
    public string? TakenAt { get; init; }

    [Description("Milliseconds between the two looks; absent if that is not known.")]
    public long? ApartMs { get; init; }

    [Description("True if it is a look that was pinned, not the last one.")]
    public bool? Pinned { get; init; }

    public required ChangesRecord Totals { get; init; }

    [Description("Stacks of the earlier look with operations that are gone, most first.")]
    public required IEnumerable<GoneRow> Gone { get; init; }

    [Description("How many more operations are gone than those of the list.")]
    public long? MoreGone { get; init; }
}

/// <summary>Stacks of which operations are gone.</summary>
internal sealed record GoneRow : GroupRow
{
    internal GoneRow(DiffGroup group)
        : base(group.Stack) => Count = group.Counts.Gone;

    [Description("How many are gone.")]
    public long Count { get; }
}

/// <summary>What became of the operations of a stack.</summary>
/// <param name="Stuck">They are where they were, waiting for the same.</param>
/// <param name="Moved">They have gone on, to here.</param>
/// <param name="New">They were not there.</param>
internal sealed record FatesRecord(long Stuck, long Moved, long New)
{
    internal static FatesRecord Of(StackFates fates) => new(fates.Stuck, fates.Moved, fates.New);
}
