using System.Text.Json;
using Async2.Dump.Cli;

namespace Async2.Dump.Dap.Protocol;

/// <summary>A request of a client with its arguments. Errors name the wrong argument.</summary>
/// <param name="Seq">The client's number for it.</param>
/// <param name="Command">Name of the request.</param>
/// <param name="Arguments">May be undefined.</param>
internal sealed record DapRequest(int Seq, string Command, JsonElement Arguments)
{
    /// <summary>Reads a message; null if it is not a request.</summary>
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
            // Invalid UTF-8 in a string is noticed when the string is read.
            throw new JsonException(exception.Message, exception);
        }
    }

    private static DapRequest? Of(JsonElement root) => root.ValueKind == JsonValueKind.Object
        && root.TryGetProperty("type", out JsonElement type) && type.ValueKind == JsonValueKind.String && type.ValueEquals("request")
        && root.TryGetProperty("seq", out JsonElement seq) && seq.ValueKind == JsonValueKind.Number && seq.TryGetInt32(out int number)
        && root.TryGetProperty("command", out JsonElement command) && command.ValueKind == JsonValueKind.String
        ? new DapRequest(number, command.GetString()!, root.TryGetProperty("arguments", out JsonElement arguments) ? arguments.Clone() : default)
        : null;

    /// <summary>A string; null if absent.</summary>
    public string? Text(string name) => Find(name) is not { } value ? null
        : value.ValueKind == JsonValueKind.String ? value.GetString()
        : throw Wrong(name, "a string");

    /// <summary>A boolean.</summary>
    public bool Switch(string name, bool otherwise) => Find(name) is not { } value ? otherwise
        : value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean()
        : throw Wrong(name, "true or false");

    /// <summary>A number from 0 up; null if absent.</summary>
    public int? Number(string name) => Find(name) is not { } value ? null
        : value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out int number) && number >= 0 ? number
        : throw Wrong(name, "a number from 0 up");

    /// <summary>A required number.</summary>
    public int RequiredNumber(string name) => Number(name) ?? throw Wrong(name, "a number");

    /// <summary>A required string.</summary>
    public string RequiredText(string name) => Text(name) is { Length: > 0 } text ? text : throw Wrong(name, "a string");

    /// <summary>An argument; null if it is missing or null.</summary>
    public JsonElement? Find(string name)
        => Arguments.ValueKind == JsonValueKind.Object && Arguments.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null ? value : null;

    /// <summary>The error for a wrong argument.</summary>
    public UsageException Wrong(string name, string wanted) => new($"{Command} needs {wanted} as {name}", $"see docs/dap.md for the arguments of {Command}");
}
