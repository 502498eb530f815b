namespace Async2.Analysis.Model;

/// <summary>What an awaited object says about itself.</summary>
/// <param name="Kind">What it is; null when it does not say.</param>
/// <param name="What">Name for humans where the object tells it better than the called API; null to keep the API's.</param>
/// <param name="State">Facts about what is shared, the same for all who wait for it.</param>
/// <param name="Own">Facts of this one waiter.</param>
/// <param name="Resource">The semaphore, channel, socket or lock; 0 when it is not known or there is none.</param>
internal sealed record WaitDetail(WaitKind? Kind, string? What, string? State, string? Own, ulong Resource)
{
    /// <summary>All in one line.</summary>
    public string FullText => string.Join(", ", ((string?[])[What, State, Own]).Where(part => part is not null));
}
