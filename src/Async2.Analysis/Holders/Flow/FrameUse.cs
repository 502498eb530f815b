namespace Async2.Analysis.Holders.Flow;

/// <summary>What a frame does to an object, besides holding it.</summary>
internal enum FrameUse
{
    /// <summary>It reads from a channel.</summary>
    Reads,

    /// <summary>It signals an event that counts.</summary>
    Signals,

    /// <summary>It sets an event.</summary>
    Sets,

    /// <summary>It reads from a pipe.</summary>
    Drains,

    /// <summary>It takes something out of a BlockingCollection.</summary>
    Takes,

    /// <summary>It has somebody else take everything out of a BlockingCollection: Parallel.ForEach, a query.</summary>
    Shares,

    /// <summary>It completes a promise or a source of value tasks, or releases a semaphore or a lock of the program's own, whether it has taken that or not.</summary>
    Completes,

    /// <summary>It calls a delegate.</summary>
    Invokes,

    /// <summary>It receives from a Dataflow block.</summary>
    Receives,

    /// <summary>It sends to a Dataflow block, links another one to it, or tells it to complete.</summary>
    Feeds,
}

/// <summary>All of them, and none.</summary>
internal static class FrameUses
{
    public static IReadOnlyList<FrameUse> All { get; } = Enum.GetValues<FrameUse>();

    /// <summary>Nothing is used in any way.</summary>
    public static ByUse<IReadOnlyList<Symbol>> None { get; } = new(_ => []);
}

/// <summary>Something for each way in which a frame uses objects.</summary>
/// <param name="make">Makes it.</param>
internal sealed class ByUse<T>(Func<FrameUse, T> make)
{
    private readonly T[] _items = [.. FrameUses.All.Select(make)];

    public T this[FrameUse use] => _items[(int)use];
}
