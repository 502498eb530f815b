using Async2.Analysis.Layouts;

namespace Async2.Analysis.Waits.Reading;

/// <summary>What an awaited object says about itself, in words. Formatting is invariant.</summary>
/// <param name="Family">Its family.</param>
/// <param name="What">Name for humans where the object tells it better than the called API: <c>Channel&lt;int&gt; read</c>; null to keep the API's.</param>
/// <param name="State">Facts about what is shared, the same for all who wait for it: <c>0 free, 3 waiting</c>.</param>
/// <param name="Own">Facts of this one waiter: <c>2nd in the queue</c>.</param>
/// <param name="Resource">The semaphore, channel, socket or lock; 0 when it is not known or there is none.</param>
internal sealed record WaitFacts(WaitFamily Family, string? What, string? State, string? Own, ulong Resource)
{
    /// <summary>Managed id of the thread that holds the resource, or has to end first; null when there is none or it is not known.</summary>
    public int? Owner { get; init; }

    /// <summary>Managed ids of the threads that all have to let go before this one can go on; empty where that is not what is waited for.</summary>
    public IReadOnlyList<int> Holders { get; init; } = [];

    /// <summary>All in one line.</summary>
    public override string ToString() => WaitText.Join(What, State, Own) ?? "unknown";
}
