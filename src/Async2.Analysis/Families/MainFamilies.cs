using Async2.Analysis.Families.Contract;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;

namespace Async2.Analysis.Families;

/// <summary>runtime-async of .NET 10 and 11: a task with its chain of continuations.</summary>
internal sealed class RuntimeAsyncFamily : IAsyncFamily
{
    /// <inheritdoc/>
    public string Name => "runtime-async";

    /// <inheritdoc/>
    public NodeKind Kind => NodeKind.Chain;

    /// <inheritdoc/>
    public AsyncNodeKind ModelKind => AsyncNodeKind.RuntimeAsync;
}

/// <summary>State machines that a compiler made: each box is a frame.</summary>
internal sealed class StateMachineFamily : IAsyncFamily
{
    private StateMachineFamily(NodeKind kind, AsyncNodeKind modelKind, string name) => (Kind, ModelKind, Name) = (kind, modelKind, name);

    /// <summary>Those whose box is a task.</summary>
    public static StateMachineFamily Boxed { get; } = new(NodeKind.Machine, AsyncNodeKind.StateMachine, "state-machine");

    /// <summary>Those whose box is used again.</summary>
    public static StateMachineFamily Pooled { get; } = new(NodeKind.Pooled, AsyncNodeKind.Pooled, "pooled");

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public NodeKind Kind { get; }

    /// <inheritdoc/>
    public AsyncNodeKind ModelKind { get; }

    /// <inheritdoc/>
    public OperationState StateOf(in NodeRow row) => row.State == NodeRow.RunningMachine ? OperationState.Running : OperationState.Suspended;

    /// <inheritdoc/>
    public bool CanBeResumed(in NodeRow row) => row.State >= 0;
}
