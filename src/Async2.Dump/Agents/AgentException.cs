namespace Async2.Dump.Agents;

/// <summary>What an agent asked for cannot be done; the message says why and what to do instead.</summary>
/// <param name="message">What is wrong, one sentence.</param>
/// <param name="fix">What to do.</param>
internal sealed class AgentException(string message, string fix) : Exception(message)
{
    /// <summary>What to do instead.</summary>
    public string Fix { get; } = fix;
}
