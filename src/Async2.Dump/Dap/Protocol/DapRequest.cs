using System.Text.Json;
using Async2.Dump.Cli;

namespace Async2.Dump.Dap.Protocol;

/// <summary>A request of a client, and what its arguments say. A wrong argument is told by its name.</summary>
/// <param name="Seq">The client's number for it.</param>
/// <param name="Command">What is wanted.</param>
/// <param name="Arguments">May be undefined.</param>
internal sealed record DapRequest(int Seq, string Command, JsonElement Arguments)
{
    /// <summary>Reads a message; null when it is not a request.</summary>
    /// <exception cref="JsonException">It is not JSON.</exception>
    public static DapRequest? Parse(byte[] message)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(message);
            return Of(document.RootElement);
        }
        catch (InvalidOperationException exception)
        {
            // A text of bytes that are no UTF-8 is noticed when it is read.
            throw new JsonException(exception.Message, exception);
        }
    }

    private static DapRequest? Of(JsonElement root) => root.ValueKind == JsonValueKind.Object
        && root.TryGetProperty("type", out JsonElement type) && type.ValueKind == JsonValueKind.String && type.ValueEquals("request")
        && root.TryGetProperty("seq", out JsonElement seq) && seq.ValueKind == JsonValueKind.Number && seq.TryGetInt32(out int number)
        && root.TryGetProperty("command", out JsonElement command) && command.ValueKind == JsonValueKind.String
        ? new DapRequest(number, command.GetString()!, root.TryGetProperty("arguments", out JsonElement arguments) ? arguments.Clone() : default)
        : null;

    /// <summary>A text; null when there is none.</summary>
    public string? Text(string name) => Find(name) is not { } value ? null
        : value.ValueKind == JsonValueKind.String ? value.GetString()
        : throw Wrong(name, "a text");

    /// <summary>A switch.</summary>
    public bool Switch(string name, bool otherwise) => Find(name) is not { } value ? otherwise
        : value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean()
        : throw Wrong(name, "true or false");

    /// <summary>A number from 0 up; null when there is none.</summary>
    public int? Number(string name) => Find(name) is not { } value ? null
        : value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out int number) && number >= 0 ? number
        : throw Wrong(name, "a number from 0 up");

    /// <summary>A number that the request makes no sense without.</summary>
    public int RequiredNumber(string name) => Number(name) ?? throw Wrong(name, "a number");

    /// <summary>A text that the request makes no sense without.</summary>
    public string RequiredText(string name) => Text(name) is { Length: > 0 } text ? text : throw Wrong(name, "a text");

    /// <summary>An argument; null when it is missing or null.</summary>
    public JsonElement? Find(string name)
        => Arguments.ValueKind == JsonValueKind.Object && Arguments.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null ? value : null;

    /// <summary>Says what an argument has to be.</summary>
    public UsageException Wrong(string name, string wanted) => new($"{Command} wants {wanted} as {name}", $"look at docs/dap.md for what {Command} takes");
}
