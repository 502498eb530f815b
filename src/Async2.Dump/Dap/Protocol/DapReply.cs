using System.Text.Json;

namespace Async2.Dump.Dap.Protocol;

/// <summary>Handles a request, on the target's thread.</summary>
internal delegate DapReply DapHandler(DapRequest request, CancellationToken cancellation);

/// <summary>The response to a request.</summary>
/// <param name="Body">Writes the members of its body; null for none.</param>
/// <param name="Then">Events to send after it.</param>
internal sealed record DapReply(Action<Utf8JsonWriter>? Body = null, Action? Then = null)
{
    /// <summary>The body as an existing JSON object; null if <see cref="Body"/> writes it.</summary>
    public byte[]? Json { get; init; }
}
