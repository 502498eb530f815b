using Async2.Analysis.Awaiters;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Families.Contract;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Families.FSharp;

/// <summary>Asyncs of F#: closures that call closures, of which each that waits is a frame.</summary>
internal sealed class FSharpFamily : IAsyncFamily
{
    /// <inheritdoc/>
    public string Name => "fsharp-async";

    /// <inheritdoc/>
    public NodeKind Kind => NodeKind.FSharpAsync;

    /// <inheritdoc/>
    public AsyncNodeKind ModelKind => AsyncNodeKind.FSharpAsync;

    /// <inheritdoc/>
    public bool HasOwnType => false;

    /// <inheritdoc/>
    public bool OwnerAwaits => true;

    /// <inheritdoc/>
    public AwaitedObject? AwaitedBy(in NodeRow row, AwaitedObjectReader awaited, RuntimeLayout layout) => row.State < 0 ? null : awaited.Behind(row.Body, row.Address);

    /// <inheritdoc/>
    public StateMachinePoint PointOf(in NodeRow row, StateMachineReader machines) => machines.AtClosure(row);

    /// <inheritdoc/>
    public bool HasTask(in NodeRow row) => row.State > 0;

    /// <inheritdoc/>
    public HeapIndex Join(Target target, HeapIndex index, StateMachineLayouts machines, ProblemLog problems) => FSharpAsyncs.Join(target, index, machines, problems);
}
