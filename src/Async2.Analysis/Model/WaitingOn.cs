using System.Collections.Immutable;

namespace Async2.Analysis.Model;

/// <summary>What the innermost frame of a stack waits for.</summary>
/// <param name="Kind">Kind of the thing waited for.</param>
/// <param name="Text">What it is, for people: the awaited API if known, else a type. Equal for stacks that coalesce.</param>
/// <param name="Address">Address of the awaited object.</param>
/// <param name="Type">C# name of the awaited object's type.</param>
/// <param name="Stack">Id of the stack that this one waits for, if that one is printed separately.</param>
public sealed record WaitingOn(WaitKind Kind, string Text, ulong? Address = null, string? Type = null, string? Stack = null)
{
    /// <summary>Why it does not continue, from the object's state: <c>0 free, 3 waiting</c>; null if the object does not show it.</summary>
    public string? Detail { get; init; }

    /// <summary>What was awaited has completed: the text says where the stack will continue, and is not something that it waits for.</summary>
    public bool IsDone { get; init; }

    /// <summary>It is a lock, a permit or a connection, which others have: a healthy program gets it in a moment.</summary>
    public bool IsContended => !IsDone && Kind is (WaitKind.Semaphore or WaitKind.Lock or WaitKind.Pool);

    /// <summary>Ids of the stacks that a combinator such as WhenAll still waits for.</summary>
    public ImmutableArray<string> Pending { get; init; } = [];

    /// <summary>The semaphore, lock, channel or pool itself, not an entry in its queue; null if there is none, or it is unknown.</summary>
    public WaitResource? Resource { get; init; }

    /// <summary>All in one line: <c>SemaphoreSlim.WaitAsync, Orders._till, 0 free, 3 waiting</c>.</summary>
    public string FullText => (Resource?.Name, Detail) switch
    {
        (null, null) => Text,
        (null, _) => $"{Text}, {Detail}",
        (_, null) => $"{Text}, {Resource.Name}",
        _ => $"{Text}, {Resource.Name}, {Detail}",
    };
}

/// <summary>Something for which several stacks may wait: a semaphore, a lock, a channel, a pool; not a waiter's entry in its queue.</summary>
/// <param name="Address">Its address.</param>
/// <param name="Type">C# name of its type; null if unknown.</param>
/// <param name="Name">The shortest name that the program has for it, <c>Orders._till</c>; null if there is none.</param>
public sealed record WaitResource(ulong Address, string? Type = null, string? Name = null)
{
    /// <summary>Stacks that wait for it are not grouped with stacks that wait for another resource of its kind: see <see cref="WaitReason.SharedResource"/>.</summary>
    public bool IsShared { get; init; }
}
