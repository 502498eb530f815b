using System.Text.Json;
using Async2.Analysis.Targets.Runtimes;
using Async2.Dump.Cli;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Workers;

namespace Async2.Dump.Dap;

/// <summary>
/// Passes messages between a client and the process that reads targets, which a native library may crash at any moment. It
/// remembers the requests that are not answered and those that started the session: if the worker crashes while it reads
/// a target, another worker gets them; if that does not help, the relay answers them itself.
/// </summary>
/// <param name="input">What the client writes.</param>
/// <param name="output">What it reads.</param>
/// <param name="start">Starts a worker; the text is the value of <see cref="DacCrash.Variable"/>, null for the first worker.</param>
internal sealed class DapRelay(Stream input, Stream output, Func<string?, DapWorker> start) : IDisposable
{
    private static readonly TimeSpan ExitTimeout = TimeSpan.FromSeconds(6);

    private readonly DapConnection _client = new(output);
    private readonly RelayedRequests _requests = new();
    // Held while a request goes to the worker, and while one worker replaces another.
    private readonly Lock _gate = new();
    private volatile DapWorker _worker = start(null);
    private volatile DapError? _death;
    private volatile bool _hasFailed;
    private bool _isLeaving, _isInitialized, _wasReplaced;
    private int _crashes;

    /// <summary>Relays until either side ends; returns the exit code.</summary>
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
            _client.WriteOutput(exception.Message, "important");
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
            Take(request, message);
            if (request is { Command: "disconnect" or "terminate" })
                break;
        }
        lock (_gate)
            _isLeaving = true;
        _worker.CloseInput();
        if (answers.Join(ExitTimeout))
            return;
        // The worker is in a call that never ends, and a client that disconnects need not wait for it.
        _worker.End();
        answers.Join(ExitTimeout);
    }

    private void Take(DapRequest? request, byte[] message)
    {
        lock (_gate)
        {
            if (request is not null)
                _requests.Add(request, message, () => _worker.End());
            if (_death is { } death)
                Answer(request, death);
            else
                Pass(message);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _worker.Dispose();

    private static DapRequest? Parse(byte[] message)
    {
        try
        {
            return DapRequest.Parse(message);
        }
        catch (JsonException)
        {
            // The worker reports what is wrong with it.
            return null;
        }
    }

    private void Pass(byte[] message)
    {
        try
        {
            DapFraming.Write(_worker.Input, message);
        }
        catch (IOException)
        {
            // The worker has just died: the thread that reads its answers reports this request, too.
        }
    }

    // The thread that starts a worker lives as long as the worker does: the kernel ends the worker with it.
    private void PassAnswers()
    {
        while (true)
        {
            CopyAnswers();
            WorkerExit end = _worker.Wait();
            if (end.Code == ExitCodes.Fine && !_requests.Any)
                return;
            lock (_gate)
            {
                if (TryReadAgain(end))
                    continue;
                End(end);
                return;
            }
        }
    }

    private void CopyAnswers()
    {
        try
        {
            var framing = new DapFraming(_worker.Output, longest: int.MaxValue);
            while (framing.Read() is { } message)
            {
                RelayedHead head = RelayedHead.Of(message);
                if (IsNew(head))
                    _client.Pass(message, head.Seq);
            }
        }
        catch (Exception exception) when (exception is IOException or DapFormatException or JsonException)
        {
            // The worker's last message was incomplete.
        }
    }

    // A later worker also answers requests that an earlier one has already answered.
    private bool IsNew(RelayedHead head) => head.RequestSeq is { } answered ? IsNewAnswer(answered) : IsNewEvent(head);

    private bool IsNewEvent(RelayedHead head)
    {
        bool isNew = !(head.IsInitialized && _isInitialized);
        _isInitialized |= head.IsInitialized;
        return isNew;
    }

    private bool IsNewAnswer(int request)
    {
        bool isReading = _requests.IsReading(request), isOpen = _requests.Remove(request);
        if (isOpen && isReading)
            _crashes = 0;
        return isOpen || !_wasReplaced;
    }

    // What crashed the library may be gone a moment later, as for every command (Supervisor).
    private bool TryReadAgain(WorkerExit end)
    {
        if (!end.IsCrash || _worker.WasEnded || _isLeaving || !_requests.AnyReading || _requests.Target is not { } target)
            return false;
        _crashes = CrashRetry.Next(_crashes, target);
        if (_crashes >= CrashRetry.Limit)
            return false;
        _client.WriteOutput($"{DacCrash.Text(target, end.Signal)}; it is read again.");
        Thread.Sleep(CrashRetry.PauseAfter(_crashes));
        _worker.Dispose();
        _wasReplaced = true;
        _worker = start(DacCrash.Value(_crashes, end.Signal!.Value));
        foreach (byte[] message in _requests.Repeated)
            Pass(message);
        return true;
    }

    private void End(WorkerExit end)
    {
        // A client that disconnects gets no reason.
        bool isLeaving = _worker.WasEnded && !_requests.IsOverdue;
        string target = _requests.Target ?? "the target";
        DapError death = isLeaving ? DapError.From(new OperationCanceledException())
            : DapError.Crashed(_requests.IsOverdue ? WorkerFailure.TooLong(target) : WorkerFailure.Crashed(target, end, Math.Max(1, _crashes)));
        _death = death;
        bool isReported = false;
        foreach (DapRequest request in _requests.All)
        {
            isReported |= IsShown(request);
            Answer(request, death);
        }
        if (isLeaving)
            return;
        _hasFailed = true;
        _client.WriteOutput(death.Text, isReported ? "console" : "important");
        _client.Event("terminated");
    }

    private void Answer(DapRequest? request, DapError death)
    {
        // Both threads may report the same request.
        if (request is null || !_requests.Remove(request.Seq))
            return;
        if (request.Command is "disconnect" or "terminate")
            _client.Respond(request);
        else
            _client.Refuse(request, death with { IsForUser = death.IsForUser && IsShown(request) });
    }

    // Once is enough: later requests fail for the same reason.
    private static bool IsShown(DapRequest request) => request.Command is "launch" or "attach";
}
