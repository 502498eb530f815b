using System.Diagnostics;
using Microsoft.Testing.Platform.Extensions;
using Microsoft.Testing.Platform.Extensions.Messages;
using Microsoft.Testing.Platform.Extensions.TestHost;
using Microsoft.Testing.Platform.Services;

namespace Async2.Testing;

/// <summary>
/// Watches over the tests of a run. It has a thread of its own: a test that blocks the whole thread pool is one of those that it is for. When a test takes too long,
/// another process reads this one. Nothing is ended.
/// </summary>
internal sealed class HangWatch : IDataConsumer, ITestSessionLifetimeHandler, IDataProducer, IDisposable
{
    private static readonly TimeSpan ShortestLook = TimeSpan.FromMilliseconds(50), LongestLook = TimeSpan.FromSeconds(1), PublishLimit = TimeSpan.FromSeconds(5);

    private readonly IServiceProvider _services;
    private readonly TimeSpan _limit;
    private readonly RunningTests _tests;
    private readonly long _start = Stopwatch.GetTimestamp();
    private readonly ManualResetEventSlim _over = new();

    public HangWatch(IServiceProvider services)
    {
        _services = services;
        _limit = HangOptions.LimitOf(services.GetCommandLineOptions());
        _tests = new(_limit);
    }

    public string Uid => "Async2.Testing.HangWatch";

    public string Version => "0.1.0";

    public string DisplayName => "Async2";

    public string Description => "Shows what tests wait for that do not end.";

    public Type[] DataTypesConsumed => [typeof(TestNodeUpdateMessage)];

    public Type[] DataTypesProduced => [typeof(SessionFileArtifact)];

    private TimeSpan Now => Stopwatch.GetElapsedTime(_start);

    public Task<bool> IsEnabledAsync() => Task.FromResult(true);

    public Task OnTestSessionStartingAsync(ITestSessionContext testSessionContext)
    {
        new Thread(() => Watch(testSessionContext)) { IsBackground = true, Name = "async2 hang watch" }.Start();
        return Task.CompletedTask;
    }

    public Task OnTestSessionFinishingAsync(ITestSessionContext testSessionContext)
    {
        _over.Set();
        return Task.CompletedTask;
    }

    public Task ConsumeAsync(IDataProducer dataProducer, IData value, CancellationToken cancellationToken)
    {
        TestNode node = ((TestNodeUpdateMessage)value).TestNode;
        if (node.Properties.Any<InProgressTestNodeStateProperty>())
            _tests.Begin(node.Uid.Value, NameOf(node), Now);
        else if (node.Properties.Any<TestNodeStateProperty>())
            _tests.End(node.Uid.Value, Now);
        return Task.CompletedTask;
    }

    public void Dispose() => _over.Set();

    // The method's name, by which its frames are found; what a framework shows may be anything.
    private static string NameOf(TestNode node) => node.Properties.SingleOrDefault<TestMethodIdentifierProperty>() is { } method
        ? (method.Namespace.Length > 0 ? method.Namespace + "." : "") + method.TypeName + "." + method.MethodName
        : node.DisplayName;

    private void Watch(ITestSessionContext session)
    {
        TimeSpan look = _limit / 20;
        look = look < ShortestLook ? ShortestLook : look > LongestLook ? LongestLook : look;
        while (!_over.Wait(look))
        {
            if (_tests.Overdue(Now) is { } hung)
                Report(session, hung);
        }
    }

    private void Report(ITestSessionContext session, HungTests hung)
    {
        string folder = Folder();
        foreach (string file in new HangTool(HangOptions.ToolOf(_services.GetCommandLineOptions())).Run(Environment.ProcessId, hung, folder) ?? [])
        {
            // The run may be stuck as a whole; the files are there in any case.
            _ = _services.GetMessageBus().PublishAsync(this, new SessionFileArtifact(session.SessionUid, new FileInfo(file), "async stacks of a hang")).Wait(PublishLimit);
        }
    }

    // Microsoft.Testing.Platform, PlatformConfigurationConstants.PlatformResultDirectory.
    private string Folder() => _services.GetConfiguration()["platformOptions:resultDirectory"] is { Length: > 0 } folder ? folder : Path.Join(AppContext.BaseDirectory, "TestResults");
}
