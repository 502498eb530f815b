using System.Text.Json;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Session;

namespace Async2.Dump.Dap;

/// <summary>
/// One session with a client. The calling thread reads requests and handles urgent ones at once: those that cancel
/// other requests or end the session. All others run one after another on the target's thread.
/// </summary>
internal sealed class DapServer : IDisposable
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(3);

    private readonly DapFraming _input;
    private readonly DapTrace _trace = new();
    private readonly DapConnection _client;
    private readonly DapSession _session;
    private readonly PendingRequests _pending = new();
    private readonly TargetThread _thread = new();
    private readonly Dictionary<string, DapHandler> _handlers;

    /// <param name="input">What the client writes.</param>
    /// <param name="output">What it reads.</param>
    /// <param name="read">Reads a target.</param>
    public DapServer(Stream input, Stream output, TargetReading read)
    {
        _input = new DapFraming(input);
        _client = new DapConnection(output, _trace);
        _session = new DapSession(_client, _trace, read);
        _handlers = DapHandlers.Of(_session);
    }

    /// <summary>Serves the client until it ends the session or disconnects.</summary>
    /// <returns>Whether all messages could be parsed.</returns>
    public bool Run()
    {
        try
        {
            while (_input.Read() is { } message)
            {
                _trace.Write("<-", message);
                if (Parse(message) is { } request && !Accept(request))
                    return true;
            }
            return true;
        }
        catch (DapFormatException exception)
        {
            _client.WriteOutput(exception.Message, "important");
            _client.Event("terminated");
            return false;
        }
        finally
        {
            Release();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _trace.Dispose();

    private DapRequest? Parse(byte[] message)
    {
        try
        {
            DapRequest? request = DapRequest.Parse(message);
            if (request is null)
                _client.WriteOutput("A message was ignored because it is not a request: it needs type, seq and command.", "important");
            return request;
        }
        catch (JsonException exception)
        {
            _client.WriteOutput($"A message was ignored because it is not JSON: {DapText.Name(exception.Message)}", "important");
            return null;
        }
    }

    // False once the session is over.
    private bool Accept(DapRequest request)
    {
        switch (request.Command)
        {
            case "cancel":
                Cancel(request);
                return true;
            case "disconnect" or "terminate":
                Release();
                _client.Respond(request);
                if (request.Command == "terminate")
                    _client.Event("terminated");
                return false;
            default:
                CancellationToken cancellation = _pending.Add(request.Seq);
                _thread.Do(() => Answer(request, cancellation));
                return true;
        }
    }

    private void Cancel(DapRequest request)
    {
        try
        {
            if (request.Number("requestId") is { } seq)
                _pending.Cancel(seq);
            if (request.Text("progressId") is { } progress && DapProgress.RequestOf(progress) is { } shown)
                _pending.Cancel(shown);
            _client.Respond(request);
        }
        catch (Exception exception)
        {
            _client.Refuse(request, DapError.From(exception));
        }
    }

    private void Answer(DapRequest request, CancellationToken cancellation)
    {
        Action? then = null;
        try
        {
            cancellation.ThrowIfCancellationRequested();
            DapHandler handler = _handlers.GetValueOrDefault(request.Command) ?? throw DapError.Unknown($"The request '{DapText.Name(request.Command)}' is not supported.");
            DapReply reply = handler(request, cancellation);
            _client.Respond(request, reply.Body, reply.Json);
            then = reply.Then;
        }
        catch (Exception exception)
        {
            // The outermost handler: each request gets an answer.
            _client.Refuse(request, DapError.From(cancellation.IsCancellationRequested ? new OperationCanceledException() : exception));
        }
        _pending.Remove(request.Seq);
        Follow(then);
    }

    private void Follow(Action? then)
    {
        try
        {
            then?.Invoke();
        }
        catch (Exception exception)
        {
            // The request is already answered.
            _client.WriteOutput(DapError.From(exception).Text, "important");
        }
    }

    // A stopped process runs on when its target is closed, at the latest when this process ends.
    private void Release()
    {
        _pending.CancelAll();
        if (!_pending.TryClose())
            return;
        _thread.Do(_session.Dispose);
        _thread.Finish(Timeout);
    }
}
