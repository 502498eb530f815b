using Async2.Analysis.Awaiters;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Threads;
using Async2.Analysis.Values;

namespace Async2.Analysis.Families.Contract;

/// <summary>
/// A family of async operations: all that is particular to the way in which its methods are suspended. Who has the row of an operation
/// asks its family (<see cref="AsyncFamilies.Of"/>); what is not said here is as in runtime-async.
/// </summary>
internal interface IAsyncFamily
{
    /// <summary>Its name among the facts of a target; null if it goes by another one's.</summary>
    string? Name { get; }

    /// <summary>What its rows are.</summary>
    NodeKind Kind { get; }

    /// <summary>The same in the model.</summary>
    AsyncNodeKind ModelKind { get; }

    /// <summary>What an operation is doing, as far as its own object says.</summary>
    OperationState StateOf(in NodeRow row) => OperationState.Suspended;

    /// <summary>The object that completes what the operation awaits leads to it, so that it can be found where it is queued.</summary>
    bool CanBeResumed(in NodeRow row) => true;

    /// <summary>The operation's address is that of a task, or of what stands for one.</summary>
    bool HasTask(in NodeRow row) => true;

    /// <summary>The method table of a row is that of the object at its address.</summary>
    bool HasOwnType => true;

    /// <summary>The frames of a chain that a thread executes are the callers of what runs.</summary>
    bool RunningHasLeftChain => false;

    /// <summary>What an operation awaits is said by the object that owns it (<see cref="AwaitedBy"/>), not by its frames.</summary>
    bool OwnerAwaits => false;

    /// <summary>What an operation awaits whose owner says it; null if it is not known.</summary>
    AwaitedObject? AwaitedBy(in NodeRow row, AwaitedObjectReader awaited, RuntimeLayout layout) => null;

    /// <summary>Where an operation stopped that is not a chain of frames.</summary>
    StateMachinePoint PointOf(in NodeRow row, StateMachineReader machines) => machines.At(row);

    /// <summary>Whether a chain is the same in both looks at a running process; null where it is made of continuations.</summary>
    /// <param name="row">The operation.</param>
    /// <param name="frames">Addresses of its frames.</param>
    /// <param name="changed">Knows what changed.</param>
    /// <param name="layout">Where fields are.</param>
    bool? IsSame(in NodeRow row, ReadOnlySpan<ulong> frames, ChangedPages changed, RuntimeLayout layout) => null;

    /// <summary>Descriptions of layouts by which it was read.</summary>
    IEnumerable<ContractFact> LayoutsUsed(RuntimeLayout layout) => [];

    /// <summary>Reads what is not among the continuations and boxes of the heap; null when all of it is.</summary>
    IFamilyReader? Open(FamilyContext context) => null;

    /// <summary>Finds the code behind places that only this family has; null if it has none.</summary>
    /// <param name="target">The target.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="native">Its native code.</param>
    /// <param name="facts">What descriptions say.</param>
    /// <param name="problems">Receives problems: what is not code.</param>
    ISitePoints? OpenPlaces(Target target, LoadedModules modules, NativeBodies native, LayoutFacts facts, ProblemLog problems) => null;

    /// <summary>Reads variables of frames at such places; null if there are none.</summary>
    /// <param name="target">The target.</param>
    /// <param name="layout">Where fields are.</param>
    /// <param name="contexts">Type arguments of frames.</param>
    /// <param name="values">Reads what is found.</param>
    IFrameLocals? OpenLocals(Target target, RuntimeLayout layout, GenericContext contexts, VariableValues values) => null;

    /// <summary>The same index with operations that are found by what the walk over the heap noted.</summary>
    HeapIndex Join(Target target, HeapIndex index, StateMachineLayouts machines, ProblemLog problems) => index;

    /// <summary>The same segments of threads, knowing more of the operations that they execute.</summary>
    IReadOnlyList<ThreadSegment> Join(HeapIndex index, IReadOnlyList<ThreadSegment> segments) => segments;
}
