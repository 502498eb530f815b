using Async2.Analysis.Model;

namespace Async2.Dump.Watching;

/// <summary>When <c>watch</c> looks, and when it saves what it sees.</summary>
internal sealed record WatchPlan
{
    /// <summary>How many snapshots of incidents are saved, if nobody says.</summary>
    public const int DefaultSaves = 10;

    /// <summary>How many of the others are kept, if nobody says.</summary>
    public const int DefaultKept = 10;

    /// <summary>Between the starts of two looks, as the user wants it; null for the default.</summary>
    public TimeSpan? Interval { get; init; }

    /// <summary>Looks until it ends; null for no end.</summary>
    public int? Count { get; init; }

    /// <summary>A snapshot is saved when something has not moved for so long; null for never.</summary>
    public TimeSpan? OnStuck { get; init; }

    /// <summary>A snapshot is saved for such findings.</summary>
    public Func<Finding, bool> OnFinding { get; init; } = _ => false;

    /// <summary>A snapshot is saved so often; null for never.</summary>
    public TimeSpan? Every { get; init; }

    /// <summary>Where to.</summary>
    public string Folder { get; init; } = ".";

    /// <summary>How many are saved for <see cref="OnStuck"/> and <see cref="OnFinding"/>.</summary>
    public int MaxSaves { get; init; } = DefaultSaves;

    /// <summary>How many of <see cref="Every"/> are kept.</summary>
    public int Keep { get; init; } = DefaultKept;

    /// <summary>How many bytes snapshots may take in the folder; null for any number.</summary>
    public long? MaxDisk { get; init; }
}
