using Async2.Analysis.Layouts.Descriptions;

namespace Async2.Analysis.Layouts;

/// <summary>
/// What this runtime has: which async families, and where their fields are. Asked of the types of objects that are there, so a
/// family without objects is absent, and no name has to be looked up in the runtime's tables.
/// </summary>
/// <param name="Task">Task; null when no task was met.</param>
/// <param name="Continuation">runtime-async; null when nothing is suspended in it.</param>
internal sealed record RuntimeLayout(TaskLayout? Task, ContinuationLayout? Continuation)
{
    /// <summary>Owners of chains that are not on the heap; null when none was met.</summary>
    public ChainOwnerLayout? ChainOwner { get; init; }

    /// <summary>Frames of such chains, as the family read them that has such owners; null if there are none.</summary>
    public FamilyLayout? OwnedFrames { get; init; }

    /// <summary>What descriptions say.</summary>
    public LayoutFacts Facts { get; init; } = LayoutFacts.None;
}

/// <summary>Where the fields of a family's own structures are; only the family knows what is in it.</summary>
internal abstract class FamilyLayout;
