using System.Text.Json;

namespace Async2.Dump.Dap.Protocol;

/// <summary>What answers a request: runs on the target's thread.</summary>
internal delegate DapReply DapHandler(DapRequest request, CancellationToken cancellation);

/// <summary>The answer to a request.</summary>
/// <param name="Body">Writes its members; null for none.</param>
/// <param name="Then">What follows it: events.</param>
internal sealed record DapReply(Action<Utf8JsonWriter>? Body = null, Action? Then = null)
{
    /// <summary>The answer as it was written elsewhere, a JSON object; null to have <see cref="Body"/> write it.</summary>
    public byte[]? Json { get; init; }
}
