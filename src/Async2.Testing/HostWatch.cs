using System.Globalization;
using System.IO.Pipes;
using Microsoft.Testing.Platform.Extensions;
using Microsoft.Testing.Platform.Extensions.Messages;
using Microsoft.Testing.Platform.Extensions.TestHost;
using Microsoft.Testing.Platform.Services;

namespace Async2.Testing;

/// <summary>
/// Watches over the tests of a run, in the process that runs them. When a test takes too long, another process reads this one. Nothing is ended. If there is a controller
/// (<see cref="ControllerWatch"/>), that watches, and hears from here which tests begin and end.
/// </summary>
internal sealed class HostWatch : PlatformExtension, IDataConsumer, ITestSessionLifetimeHandler, IDataProducer, IDisposable
{
    private static readonly TimeSpan PublishLimit = TimeSpan.FromSeconds(5), ConnectLimit = TimeSpan.FromSeconds(10);

    private readonly IServiceProvider _services;
    private readonly TestWatch _watch;
    private readonly StreamWriter? _feed;
    private ITestSessionContext? _session;

    public HostWatch(IServiceProvider services)
    {
        _services = services;
        _watch = new(HangOptions.LimitOf(services.GetCommandLineOptions()), Report);
        _feed = Connect();
    }

    public Type[] DataTypesConsumed => [typeof(TestNodeUpdateMessage)];

    public Type[] DataTypesProduced => [typeof(SessionFileArtifact)];

    public override Task<bool> IsEnabledAsync() => Task.FromResult(true);

    public Task OnTestSessionStartingAsync(ITestSessionContext testSessionContext)
    {
        _session = testSessionContext;
        if (_feed is null)
            _watch.Start();
        return Task.CompletedTask;
    }

    public Task OnTestSessionFinishingAsync(ITestSessionContext testSessionContext)
    {
        _watch.Dispose();
        return Task.CompletedTask;
    }

    public Task ConsumeAsync(IDataProducer dataProducer, IData value, CancellationToken cancellationToken)
    {
        TestNode node = ((TestNodeUpdateMessage)value).TestNode;
        if (node.Properties.Any<InProgressTestNodeStateProperty>())
            Begin(node.Uid.Value, NameOf(node));
        else if (node.Properties.Any<TestNodeStateProperty>())
            End(node.Uid.Value);
        return Task.CompletedTask;
    }

    public void Dispose()
    {
        _watch.Dispose();
        _feed?.Dispose();
    }

    private void Begin(string id, string name)
    {
        if (_feed is null)
            _watch.Begin(id, name);
        else
            Tell(TestFeed.Begin(id, name));
    }

    private void End(string id)
    {
        if (_feed is null)
            _watch.End(id);
        else
            Tell(TestFeed.End(id));
    }

    private void Tell(string line)
    {
        try
        {
            _feed!.WriteLine(line);
        }
        catch (IOException)
        {
            // Without its controller this process will not run for long.
        }
    }

    // The method's name, by which its frames are found; what a framework shows may be anything.
    private static string NameOf(TestNode node) => node.Properties.SingleOrDefault<TestMethodIdentifierProperty>() is { } method
        ? (method.Namespace.Length > 0 ? method.Namespace + "." : "") + method.TypeName + "." + method.MethodName
        : node.DisplayName;

    private static StreamWriter? Connect()
    {
        if (Environment.GetEnvironmentVariable(TestFeed.PipeVariable) is not { Length: > 0 } name
            || !int.TryParse(Environment.GetEnvironmentVariable(TestFeed.ControllerVariable), NumberStyles.None, CultureInfo.InvariantCulture, out int controller))
            return null;
        var pipe = new NamedPipeClientStream(".", name, PipeDirection.Out, PipeOptions.CurrentUserOnly);
        try
        {
            pipe.Connect((int)ConnectLimit.TotalMilliseconds);
            Ptracer.Allow(controller);
            return new StreamWriter(pipe) { AutoFlush = true };
        }
        catch (Exception e) when (e is IOException or TimeoutException or UnauthorizedAccessException)
        {
            // Then this process watches over itself.
            pipe.Dispose();
            return null;
        }
    }

    private void Report(HungTests hung)
    {
        Ptracer.Allow(Environment.ProcessId);
        string[] files = MtpReport.Run(_services, Environment.ProcessId, hung);
        Ptracer.Allow(Ptracer.Nobody);
        if (_session is not { } session)
            return;
        foreach (string file in files)
        {
            // The run may be stuck as a whole; the files are there in any case.
            _ = _services.GetMessageBus().PublishAsync(this, new SessionFileArtifact(session.SessionUid, new FileInfo(file), "async stacks of a hang")).Wait(PublishLimit);
        }
    }
}
