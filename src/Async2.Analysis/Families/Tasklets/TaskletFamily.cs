using Async2.Analysis.Awaiters;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Families.Contract;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Values;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>The async2 experiment's captured frames: structs outside of the heap that an object on it owns, or nothing.</summary>
internal sealed class TaskletFamily : IAsyncFamily
{
    /// <inheritdoc/>
    public string Name => "tasklet";

    /// <inheritdoc/>
    public NodeKind Kind => NodeKind.OwnedChain;

    /// <inheritdoc/>
    public AsyncNodeKind ModelKind => AsyncNodeKind.Tasklet;

    /// <inheritdoc/>
    public bool HasOwnType => false;

    /// <inheritdoc/>
    public bool RunningHasLeftChain => true;

    /// <inheritdoc/>
    public bool OwnerAwaits => true;

    /// <inheritdoc/>
    public OperationState StateOf(in NodeRow row) => (OperationState)row.State;

    /// <inheritdoc/>
    public bool CanBeResumed(in NodeRow row) => false;

    /// <inheritdoc/>
    public AwaitedObject? AwaitedBy(in NodeRow row, AwaitedObjectReader awaited, RuntimeLayout layout)
        => layout.ChainOwner is { } owner && OwnerOf(row) != 0 ? awaited.OfField(OwnerOf(row) + (ulong)owner.Awaiter, row.Address) : null;

    /// <inheritdoc/>
    public bool? IsSame(in NodeRow row, ReadOnlySpan<ulong> frames, ChangedPages changed, RuntimeLayout layout)
    {
        if (OwnerOf(row) is not 0 and var owner && (layout.ChainOwner is not { } fields || !changed.IsSame(owner, fields.Size)))
            return false;
        foreach (ulong tasklet in frames)
        {
            if (layout.OwnedFrames is not TaskletLayout captured || !changed.IsSame(tasklet, captured.Size))
                return false;
        }
        return true;
    }

    /// <inheritdoc/>
    public IEnumerable<ContractFact> LayoutsUsed(RuntimeLayout layout) => layout.OwnedFrames is TaskletLayout tasklet ? [tasklet.Version] : [];

    /// <inheritdoc/>
    public IFamilyReader Open(FamilyContext context) => new TaskletWalk(context);

    /// <inheritdoc/>
    public ISitePoints OpenPlaces(Target target, LoadedModules modules, NativeBodies native, LayoutFacts facts, ProblemLog problems)
        => new ReturnPoints(target, modules, native, facts, problems);

    /// <inheritdoc/>
    public IFrameLocals? OpenLocals(Target target, RuntimeLayout layout, GenericContext contexts, VariableValues values)
        => layout.OwnedFrames is TaskletLayout fields ? new TaskletLocals(target, fields, contexts, values) : null;

    // Of an orphan 0.
    private static ulong OwnerOf(in NodeRow row) => row.MethodTable;
}
