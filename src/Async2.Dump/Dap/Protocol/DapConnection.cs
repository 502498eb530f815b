using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Async2.Dump.Dap.Protocol;

/// <summary>
/// Writes messages to a client, complete and one after another, from any thread. The fields that identify a message
/// come first, so that a relay need not parse the rest.
/// </summary>
/// <param name="output">Where the client reads.</param>
/// <param name="trace">Where copies go; null for nowhere.</param>
internal sealed class DapConnection(Stream output, DapTrace? trace = null)
{
    // Names keep their angle brackets; the output is never parsed as HTML.
    private static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly Lock _lock = new();
    private bool _isGone;
    private int _lastSeq;

    /// <summary>Answers a request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="body">Writes the members of the response; null for none.</param>
    /// <param name="json">The response as a JSON object, instead of <paramref name="body"/>.</param>
    public void Respond(DapRequest request, Action<Utf8JsonWriter>? body = null, byte[]? json = null) => Send(writer =>
    {
        WriteHead(writer, request.Seq, request.Command, success: true);
        WriteBody(writer, body);
        if (json is null)
            return;
        writer.WritePropertyName("body");
        writer.WriteRawValue(json, skipInputValidation: true);
    });

    /// <summary>Answers a request with an error.</summary>
    public void Refuse(DapRequest request, DapError error) => Refuse(request.Seq, request.Command, error);

    /// <summary>Answers a request with an error.</summary>
    public void Refuse(int seq, string command, DapError error) => Send(writer =>
    {
        WriteHead(writer, seq, command, success: false);
        writer.WriteString("message", error.Text);
        WriteBody(writer, body =>
        {
            body.WriteStartObject("error");
            body.WriteNumber("id", error.Id);
            body.WriteString("format", error.Text);
            // The sender of a custom request shows its error; VS Code would show it a second time.
            body.WriteBoolean("showUser", error.IsForUser && !command.StartsWith("async2/", StringComparison.Ordinal));
            body.WriteEndObject();
        });
    });

    /// <summary>Sends an event.</summary>
    public void Event(string name, Action<Utf8JsonWriter>? body = null) => Send(writer =>
    {
        writer.WriteString("type", "event");
        writer.WriteString("event", name);
        WriteBody(writer, body);
    });

    /// <summary>Writes lines to the client's console.</summary>
    /// <param name="text">Already escaped; line ends are added here.</param>
    /// <param name="category">How it is shown: <c>console</c>, <c>important</c>.</param>
    public void WriteOutput(string text, string category = "console") => Event("output", writer =>
    {
        writer.WriteString("category", category);
        writer.WriteString("output", text.TrimEnd('\n') + "\n");
    });

    /// <summary>Passes on a message from the worker.</summary>
    /// <param name="message">The message.</param>
    /// <param name="seq">
    /// Its number, which stands at its beginning. It gets another one when it is not the next, because its writer took the place of another.
    /// </param>
    public void Pass(byte[] message, int seq)
    {
        lock (_lock)
        {
            Write(seq == ++_lastSeq ? message : [.. Head(_lastSeq), .. message.AsSpan(message.IndexOf((byte)',') + 1)]);
        }
    }

    private static byte[] Head(int seq) => Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{{\"seq\":{seq},"));

    private static void WriteHead(Utf8JsonWriter writer, int seq, string command, bool success)
    {
        writer.WriteString("type", "response");
        writer.WriteNumber("request_seq", seq);
        writer.WriteBoolean("success", success);
        writer.WriteString("command", command);
    }

    private static void WriteBody(Utf8JsonWriter writer, Action<Utf8JsonWriter>? body)
    {
        if (body is null)
            return;
        writer.WriteStartObject("body");
        body(writer);
        writer.WriteEndObject();
    }

    // Written to a buffer first: if that fails nothing was sent, and other threads need not wait.
    private void Send(Action<Utf8JsonWriter> fields)
    {
        var rest = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(rest, Options))
        {
            writer.WriteStartObject();
            fields(writer);
            writer.WriteEndObject();
        }
        lock (_lock)
        {
            byte[] message = [.. Head(++_lastSeq), .. rest.WrittenSpan[1..]];
            trace?.Write("->", message);
            Write(message);
        }
    }

    // A client that has disconnected gets nothing; the reading side notices that.
    private void Write(byte[] message)
    {
        if (_isGone)
            return;
        try
        {
            DapFraming.Write(output, message);
        }
        catch (IOException)
        {
            _isGone = true;
        }
    }
}
