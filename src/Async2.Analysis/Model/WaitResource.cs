namespace Async2.Analysis.Model;

/// <summary>What several stacks may wait for: a semaphore, a lock, a channel, a pool; not the place of one of them in its queue.</summary>
/// <param name="Address">Its address.</param>
/// <param name="Type">C# name of its type; null when it cannot be told.</param>
/// <param name="Name">The shortest name by which the program knows it, <c>Orders._till</c>; null when there is none.</param>
public sealed record WaitResource(ulong Address, string? Type = null, string? Name = null)
{
    /// <summary>Stacks that wait for it are told apart from those that wait for another one of its kind: see <see cref="WaitReason.SharedResource"/>.</summary>
    public bool IsShared { get; init; }
}
