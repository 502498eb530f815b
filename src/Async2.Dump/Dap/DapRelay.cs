using System.Text.Json;
using Async2.Dump.Cli;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Workers;

namespace Async2.Dump.Dap;

/// <summary>
/// Stands between a client and the process that reads targets, which its native library may crash at any moment. It passes
/// messages on and remembers only which requests are not answered: if the reader dies, the client gets its answers from here.
/// </summary>
/// <param name="input">What the client writes.</param>
/// <param name="output">What it reads.</param>
/// <param name="reader">The reader.</param>
internal sealed class DapRelay(Stream input, Stream output, DapReader reader)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(6);

    private readonly DapConnection _client = new(output);
    private readonly RelayedRequests _requests = new();
    private volatile DapError? _death;
    private volatile bool _hasFailed;

    /// <summary>Relays until either side is done; returns the exit code.</summary>
    public int Run()
    {
        var answers = new Thread(PassAnswers) { IsBackground = true };
        answers.Start();
        try
        {
            PassRequests(answers);
        }
        catch (DapFormatException exception)
        {
            _client.Say(exception.Message, "important");
            _client.Event("terminated");
            return ExitCodes.Usage;
        }
        return _hasFailed ? ExitCodes.Unreadable : ExitCodes.Fine;
    }

    private void PassRequests(Thread answers)
    {
        var framing = new DapFraming(input);
        while (framing.Read() is { } message)
        {
            DapRequest? request = Parse(message);
            if (request is not null)
                _requests.Add(request, reader.End);
            if (_death is { } death)
                Answer(request, death);
            else
                Pass(message);
            if (request is { Command: "disconnect" or "terminate" })
                break;
        }
        reader.CloseInput();
        if (answers.Join(Patience))
            return;
        // It is inside of something that never ends, and a client that goes away need not wait for that.
        reader.End();
        answers.Join(Patience);
    }

    private static DapRequest? Parse(byte[] message)
    {
        try
        {
            return DapRequest.Parse(message);
        }
        catch (JsonException)
        {
            // The reader says what is wrong with it.
            return null;
        }
    }

    private void Pass(byte[] message)
    {
        try
        {
            DapFraming.Write(reader.Input, message);
        }
        catch (IOException)
        {
            // It has just died: whoever reads its answers says so, for this request, too.
        }
    }

    private void PassAnswers()
    {
        try
        {
            var framing = new DapFraming(reader.Output, longest: int.MaxValue);
            while (framing.Read() is { } message)
            {
                RelayedHead head = RelayedHead.Of(message);
                if (head.RequestSeq is { } answered)
                    _requests.Remove(answered);
                _client.Pass(message, head.Seq);
            }
        }
        catch (Exception exception) when (exception is IOException or DapFormatException or JsonException)
        {
            // Its last words were cut off.
        }
        WorkerExit end = reader.Wait();
        if (end.Code != ExitCodes.Fine || _requests.Any)
            Bury(end);
    }

    private void Bury(WorkerExit end)
    {
        // Nobody is told why who wants to go.
        bool isLeaving = reader.WasEnded && !_requests.IsOverdue;
        string target = _requests.Target ?? "the target";
        DapError death = isLeaving ? DapError.From(new OperationCanceledException())
            : DapError.Crashed(_requests.IsOverdue ? WorkerFailure.TooLong(target) : WorkerFailure.Crashed(target, end, tries: 1));
        _death = death;
        bool isTold = false;
        foreach (DapRequest request in _requests.All)
        {
            isTold |= IsShown(request);
            Answer(request, death);
        }
        if (isLeaving)
            return;
        _hasFailed = true;
        _client.Say(death.Text, isTold ? "console" : "important");
        _client.Event("terminated");
    }

    private void Answer(DapRequest? request, DapError death)
    {
        // Both threads may come with the same one.
        if (request is null || !_requests.Remove(request.Seq))
            return;
        if (request.Command is "disconnect" or "terminate")
            _client.Respond(request);
        else
            _client.Refuse(request, death with { IsForUser = death.IsForUser && IsShown(request) });
    }

    // Once is enough: what follows fails for the same reason.
    private static bool IsShown(DapRequest request) => request.Command is "launch" or "attach";
}
