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
}
