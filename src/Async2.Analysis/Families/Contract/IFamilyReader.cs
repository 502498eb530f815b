using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Families.Contract;

/// <summary>Reads the operations of a family of one target, where they are not as all others.</summary>
internal interface IFamilyReader
{
    /// <summary>The row of the box of a state machine that stands for an operation of this family; null for any other.</summary>
    /// <param name="address">The box.</param>
    /// <param name="methodTable">Its type.</param>
    /// <param name="machine">The machine in it.</param>
    /// <param name="awaiter">Who waits for it.</param>
    /// <param name="state">The machine's state.</param>
    NodeRow? RowOf(ulong address, ulong methodTable, in BoxedStateMachine machine, ulong awaiter, int state) => null;

    /// <summary>Chains that are not on the heap; null if there are none.</summary>
    /// <param name="owners">Objects that own such chains, with the address of their innermost frame, by address.</param>
    /// <param name="cancellation">Ends it early.</param>
    FamilyChains? Chains(IReadOnlyList<PendingObject> owners, CancellationToken cancellation) => null;
}

/// <summary>What a family needs to read.</summary>
/// <param name="Memory">The target's.</param>
/// <param name="Facts">What descriptions say.</param>
/// <param name="Owners">Objects that own chains; null when none was met.</param>
/// <param name="Sites">Numbers the places where frames stand.</param>
/// <param name="Problems">Told of what no valid target has.</param>
internal sealed record FamilyContext(TargetMemory Memory, LayoutFacts Facts, ChainOwnerLayout? Owners, SiteTable Sites, ProblemLog Problems);

/// <summary>Chains of a family that are not on the heap.</summary>
/// <param name="Layout">By which they were read.</param>
/// <param name="Rows">One for each frame.</param>
/// <param name="Chains">Those with an owner first, in the order of the owners.</param>
/// <param name="IsWhole">False when some are missing.</param>
internal sealed record FamilyChains(FamilyLayout Layout, IReadOnlyList<FrameRows> Rows, IReadOnlyList<OwnedChain> Chains, bool IsWhole);
