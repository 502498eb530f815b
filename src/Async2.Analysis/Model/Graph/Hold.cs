namespace Async2.Analysis.Model.Graph;

/// <summary>A wait that ends when threads release something: a lock, or, by returning, the work queued to them.</summary>
/// <param name="Nodes">The innermost segments of these threads.</param>
/// <param name="NeedsAll">All of them have to; otherwise one is enough.</param>
internal sealed record Hold(IReadOnlyList<int> Nodes, bool NeedsAll)
{
    /// <summary>It may end by itself, after a timeout.</summary>
    public bool IsLimited { get; init; }

    /// <summary>The outer part of a thread's stack, which continues when the inner part has returned.</summary>
    public bool IsOwnThread { get; init; }
}
