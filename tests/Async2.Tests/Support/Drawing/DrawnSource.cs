using Async2.Analysis.Awaiters;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Holders;
using Async2.Analysis.Identity;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Reachability;
using Async2.Analysis.Stacks;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Faults;
using Async2.Analysis.Waits.Reading;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Tests.Support.Drawing;

/// <summary>Answers for a heap that was drawn; what a drawing says nothing about is not known.</summary>
internal abstract class DrawnSource : IStackSource
{
    public abstract IFrameSource Frames { get; }

    public HolderReader? Holders => null;

    public LabelReader? Labels => null;

    public ObjectTypes? Types => null;

    public abstract bool ReadAwaiters(ulong continuationObject, List<ulong> found);

    public virtual AwaitedObject? AwaitedByChain(ulong gcData, ulong task, bool isLeafOfRuntime) => null;

    public AwaitedObject? AwaitedByOwner(in NodeRow row) => null;

    public virtual AwaitedObject? AwaitedByMachine(in NodeRow row, string? awaiterField) => null;

    public virtual WaitReason? ReasonOf(ulong awaited, WaitTrail trail) => null;

    public virtual WaitReason? ReasonOf(ThreadSegment thread) => null;

    public WaitResource Describe(ulong resource, IEnumerable<ulong> stack, int? thread) => new(resource);

    public WaitResource? DescribePromise(ulong promise) => null;

    public virtual Resumption? ResumptionOf(ulong operation, bool isCompleted) => null;

    public ulong TimerOf(ulong promise) => 0;

    public IEnumerable<(ulong Operation, Resumption Place)> PlacesCaptured(Func<ulong, ulong> awaitedBy) => [];

    public Resumption? PlaceSavedBy(ulong frame) => null;

    public Resumption? QueueOf(ulong task) => null;

    public FaultReader? Faults => null;

    public OrphanSearch OrphanSearch => OrphanSearch.None;

    public bool IsPlainPromise(ulong awaited) => false;

    public ReachAnswer? FindOrphans(IReadOnlyList<WaitGate> waits, IReadOnlyList<ulong> operations, bool hasCandidate, CancellationToken cancellation) => null;

    public bool WasLeft(ulong continuationObject) => false;

    public IReadOnlyList<int> ContextThreads { get; init; } = [];

    public IReadOnlyList<GenerationRange> Generations => [];

    public long? TimeoutOf(ulong promise) => null;

    public bool IsLimited(ThreadSegment thread) => false;

    public bool IsZeroInOwner(ulong operation, string field) => false;

    public virtual IReadOnlyList<ElidedPlace> ElidedBetween(SuspensionPoint caller, SuspensionPoint? deeper) => [];

    public IReadOnlyList<LogicalFrame> ElidedAbove(SuspensionPoint outermost) => [];
}

/// <summary>Frames of a drawing, of which none is of shared code.</summary>
internal abstract class DrawnFrames : IFrameSource
{
    public abstract SuspensionPoint PointAt(Site site);

    public bool IsShared(SuspensionPoint point) => false;

    public ulong ContextOf(SuspensionPoint point, ulong data, ulong gcData) => 0;

    public abstract (LogicalFrame Frame, FrameOrigin Origin) Show(SuspensionPoint point, ulong context);

    public virtual StateMachinePoint StateMachineAt(in NodeRow row) => new();

    public virtual (LogicalFrame Frame, FrameOrigin Origin) ShowStateMachine(StateMachinePoint point, NodeKind kind) => throw new NotSupportedException();

    public virtual (LogicalFrame Frame, FrameOrigin Origin) ShowThread(ThreadFrame physical) => throw new NotSupportedException();
}
