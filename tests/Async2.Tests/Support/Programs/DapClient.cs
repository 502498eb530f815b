using System.Collections.Immutable;
using System.Diagnostics;
using System.IO.Pipes;
using System.Text;
using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Dump.Dap;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Session;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Support.Programs;

/// <summary>A client of the debug adapter: of one in this process, or of the built tool. Each answer has to come in time.</summary>
internal sealed class DapClient : IDisposable
{
    private static readonly TimeSpan Timeout = TimeSpan.FromMinutes(1);

    private readonly Stream _toServer;
    private readonly Action _end;
    private readonly Lock _lock = new();
    private readonly Dictionary<int, JsonElement> _answers = [];
    private readonly List<JsonElement> _events = [];
    private readonly Thread _reading;
    private int _seq;

    private DapClient(Stream toServer, Stream fromServer, Action end)
    {
        (_toServer, _end) = (toServer, end);
        _reading = new Thread(() => Read(new DapFraming(fromServer))) { IsBackground = true };
        _reading.Start();
    }

    /// <summary>The tool's process; null for an adapter in this one.</summary>
    public Process? Process { get; private init; }

    /// <summary>All events so far.</summary>
    public ImmutableArray<JsonElement> Events
    {
        get
        {
            lock (_lock)
                return [.. _events];
        }
    }

    /// <summary>All that was written to the console so far.</summary>
    public string Console => string.Concat(Events.Where(e => Name(e) == "output").Select(e => e.GetProperty("body").GetProperty("output").GetString()));

    /// <summary>An adapter that reads targets in a way of the test's own.</summary>
    public static DapClient Of(TargetReading read)
    {
        var toServer = new AnonymousPipeServerStream(PipeDirection.Out);
        var fromServer = new AnonymousPipeServerStream(PipeDirection.In);
        var input = new AnonymousPipeClientStream(PipeDirection.In, toServer.ClientSafePipeHandle);
        var output = new AnonymousPipeClientStream(PipeDirection.Out, fromServer.ClientSafePipeHandle);
        var serving = new Thread(() =>
        {
            using var server = new DapServer(input, output, read);
            server.Run();
            output.Dispose();
        });
        serving.Start();
        return new DapClient(toServer, fromServer, () => Assert.True(serving.Join(Timeout), "the adapter did not end"));
    }

    /// <summary>An adapter that has read a drawn snapshot, and stopped.</summary>
    /// <param name="snapshot">What is shown.</param>
    /// <param name="arguments">Of the launch.</param>
    /// <param name="model">What is searched; the same stacks unless there is more to them than is shown.</param>
    public static DapClient Stopped(StackView snapshot, object? arguments = null, AsyncModel? model = null)
    {
        StackView view = DrawnStacks.Numbered(snapshot);
        model ??= DrawnStacks.ModelOf(snapshot);
        return Of((_, _, _) => new DrawnTarget(view) { Search = (search, stop) => search.In(model, view, includeFramework: false, stop) })
            .Stop(arguments ?? new { dumpPath = "/dumps/shop.dmp" });
    }

    /// <summary>The built tool.</summary>
    public static DapClient OfTool()
    {
        ProcessStartInfo start = ToolRun.StartInfo(["dap"]);
        start.RedirectStandardInput = true;
        Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        return new DapClient(process.StandardInput.BaseStream, process.StandardOutput.BaseStream, () =>
        {
            if (!process.WaitForExit(Timeout))
            {
                process.Kill(entireProcessTree: true);
                Assert.Fail("the tool did not end");
            }
            Assert.Equal("", errors.Result);
        })
        {
            Process = process,
        };
    }

    /// <summary>Begins a session and waits until it has stopped.</summary>
    public DapClient Stop(object arguments, string command = "launch", object? features = null)
    {
        Call("initialize", features ?? new { adapterID = "async2" });
        Call(command, arguments);
        Event("initialized");
        Call("configurationDone");
        Event("stopped");
        return this;
    }

    /// <summary>Sends a request and returns its number.</summary>
    public int Send(string command, object? arguments = null)
    {
        int seq = ++_seq;
        Write(JsonSerializer.SerializeToUtf8Bytes(new { seq, type = "request", command, arguments = arguments ?? new { } }));
        return seq;
    }

    /// <summary>Sends bytes as a message.</summary>
    public void Write(byte[] message) => DapFraming.Write(_toServer, message);

    /// <summary>Sends bytes.</summary>
    public void WriteRaw(string text)
    {
        _toServer.Write(Encoding.UTF8.GetBytes(text));
        _toServer.Flush();
    }

    /// <summary>The whole answer to a request.</summary>
    public JsonElement Answer(int seq)
    {
        JsonElement answer = default;
        Assert.True(SpinWait.SpinUntil(() => Find(seq, out answer), Timeout), $"no answer to request {seq}; console: {Console}");
        return answer;
    }

    /// <summary>The body of the answer to a request that has to be done.</summary>
    public JsonElement Call(string command, object? arguments = null)
    {
        JsonElement answer = Answer(Send(command, arguments));
        Assert.True(answer.GetProperty("success").GetBoolean(), answer.ToString());
        return answer.TryGetProperty("body", out JsonElement body) ? body : default;
    }

    /// <summary>The error of a request that has to fail.</summary>
    public (string Text, bool IsForUser) Fail(string command, object? arguments = null) => Error(Send(command, arguments));

    /// <summary>The error of a request that has to fail.</summary>
    public (string Text, bool IsForUser) Error(int seq)
    {
        JsonElement answer = Answer(seq);
        Assert.False(answer.GetProperty("success").GetBoolean(), answer.ToString());
        JsonElement error = answer.GetProperty("body").GetProperty("error");
        Assert.Equal(answer.GetProperty("message").GetString(), error.GetProperty("format").GetString());
        return (error.GetProperty("format").GetString()!, error.GetProperty("showUser").GetBoolean());
    }

    /// <summary>The body of an event: the first of that name, or a later one.</summary>
    public JsonElement Event(string name, int number = 1)
    {
        JsonElement[] found = [];
        Assert.True(SpinWait.SpinUntil(() => (found = [.. Events.Where(e => Name(e) == name)]).Length >= number, Timeout), $"no event {name}; console: {Console}");
        return found[number - 1].TryGetProperty("body", out JsonElement body) ? body : default;
    }

    /// <summary>All frames of a stack, in one answer.</summary>
    public JsonElement[] Frames(int thread) => [.. Call("stackTrace", new { threadId = thread }).GetProperty("stackFrames").EnumerateArray()];

    /// <summary>What a query answers in the console.</summary>
    public string Ask(string query) => Call("evaluate", new { expression = query, context = "repl" }).GetProperty("result").GetString()!;

    /// <summary>Variables of a scope of a frame, by name.</summary>
    public Dictionary<string, JsonElement> Scope(int frameId, string name)
    {
        JsonElement scope = Call("scopes", new { frameId }).GetProperty("scopes").EnumerateArray().Single(s => s.GetProperty("name").GetString() == name);
        return Open(scope).ToDictionary(v => v.GetProperty("name").GetString()!);
    }

    /// <summary>What something leads to.</summary>
    public JsonElement[] Open(JsonElement parent)
        => [.. Call("variables", new { variablesReference = parent.GetProperty("variablesReference").GetInt32() }).GetProperty("variables").EnumerateArray()];

    /// <summary>Ends the session in order.</summary>
    public void Disconnect()
    {
        Call("disconnect");
        _end();
    }

    /// <summary>Waits for the end of the other side, for any reason.</summary>
    public void WaitForEnd() => _end();

    public void Dispose()
    {
        try
        {
            _toServer.Dispose();
        }
        catch (IOException)
        {
            // The other side is gone.
        }
        _end();
        Process?.Dispose();
    }

    private static string? Name(JsonElement message) => message.GetProperty("event").GetString();

    private bool Find(int seq, out JsonElement answer)
    {
        lock (_lock)
            return _answers.TryGetValue(seq, out answer);
    }

    private void Read(DapFraming framing)
    {
        int last = 0;
        try
        {
            while (framing.Read() is { } message)
            {
                JsonElement json = JsonDocument.Parse(message).RootElement.Clone();
                lock (_lock)
                {
                    // Numbers tell a lost message.
                    if (json.GetProperty("seq").GetInt32() != ++last)
                        throw new InvalidOperationException($"message {json.GetProperty("seq")} is not {last}");
                    if (json.GetProperty("type").GetString() == "event")
                        _events.Add(json);
                    else
                        _answers.Add(json.GetProperty("request_seq").GetInt32(), json);
                }
            }
        }
        catch (ObjectDisposedException)
        {
            // The test is over.
        }
    }
}
