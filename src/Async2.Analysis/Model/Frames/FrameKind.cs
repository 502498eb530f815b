namespace Async2.Analysis.Model.Frames;

/// <summary>What a frame of a logical stack consists of in the target.</summary>
public enum FrameKind
{
    /// <summary>A runtime-async <c>Continuation</c> object.</summary>
    Continuation,

    /// <summary>A <c>Tasklet</c> of the async2 experiment.</summary>
    Tasklet,

    /// <summary>A compiler-made state machine box.</summary>
    StateMachine,

    /// <summary>A state machine box of a pooling ValueTask builder.</summary>
    Pooled,

    /// <summary>A plain task without async code of its own.</summary>
    Task,

    /// <summary>A physical frame of a thread.</summary>
    Thread,

    /// <summary>Not in memory: removed by the JIT, but the IL proves that it belongs there.</summary>
    Elided,
}
