namespace Async2.Analysis.Model;

/// <summary>Something for which several stacks may wait: a semaphore, a lock, a channel, a pool; not a waiter's entry in its queue.</summary>
/// <param name="Address">Its address.</param>
/// <param name="Type">C# name of its type; null if unknown.</param>
/// <param name="Name">The shortest name that the program has for it, <c>Orders._till</c>; null if there is none.</param>
public sealed record WaitResource(ulong Address, string? Type = null, string? Name = null)
{
    /// <summary>Stacks that wait for it are not grouped with stacks that wait for another resource of its kind: see <see cref="WaitReason.SharedResource"/>.</summary>
    public bool IsShared { get; init; }
}
