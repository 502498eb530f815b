namespace Async2.Analysis.Model.Graph;

/// <summary>A wait that ends when threads let go: of a lock, or by coming back to what is queued to them.</summary>
/// <param name="Nodes">The innermost segments of these threads.</param>
/// <param name="NeedsAll">All of them have to; one is enough otherwise.</param>
internal sealed record Hold(IReadOnlyList<int> Nodes, bool NeedsAll)
{
    /// <summary>It may end by itself, after a time.</summary>
    public bool IsLimited { get; init; }

    /// <summary>The outer part of a thread's stack, which goes on when the inner part has returned.</summary>
    public bool IsOwnThread { get; init; }
}
