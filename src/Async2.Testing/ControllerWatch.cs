using System.Globalization;
using System.IO.Pipes;
using Microsoft.Testing.Platform.Extensions;
using Microsoft.Testing.Platform.Extensions.Messages;
using Microsoft.Testing.Platform.Extensions.TestHostControllers;
using Microsoft.Testing.Platform.Services;

namespace Async2.Testing;

/// <summary>
/// Watches over the tests of another process, where the platform runs them in one (a hang dump or crash dump was asked for). A host that can do nothing at all any more,
/// because its runtime waits for a thread that never stops, is shown like any other. Where nobody asks for such a process this does not, either.
/// </summary>
internal sealed class ControllerWatch : PlatformExtension, ITestHostProcessLifetimeHandler, ITestHostEnvironmentVariableProvider, IDataProducer, IDisposable
{
    private static readonly TimeSpan PublishLimit = TimeSpan.FromSeconds(5);

    private readonly string _name = $"async2-{Guid.NewGuid():N}";
    private readonly IServiceProvider _services;
    private readonly TestWatch _watch;
    private NamedPipeServerStream? _pipe;
    private int _host;

    public ControllerWatch(IServiceProvider services)
    {
        _services = services;
        _watch = new(HangOptions.LimitOf(services.GetCommandLineOptions()), Report);
    }

    public Type[] DataTypesProduced => [typeof(FileArtifact)];

    public override Task<bool> IsEnabledAsync() => Task.FromResult(HangOptions.HasController(_services.GetCommandLineOptions()));

    public Task UpdateAsync(IEnvironmentVariables environmentVariables)
    {
        environmentVariables.SetVariable(new(TestFeed.PipeVariable, _name, isSecret: false, isLocked: true));
        environmentVariables.SetVariable(new(TestFeed.ControllerVariable, Environment.ProcessId.ToString(CultureInfo.InvariantCulture), isSecret: false, isLocked: true));
        return Task.CompletedTask;
    }

    public Task<ValidationResult> ValidateTestHostEnvironmentVariablesAsync(IReadOnlyEnvironmentVariables environmentVariables) => ValidationResult.ValidTask;

    public Task BeforeTestHostProcessStartAsync(CancellationToken cancellationToken)
    {
        NamedPipeServerStream pipe = _pipe = new(_name, PipeDirection.In, 1, PipeTransmissionMode.Byte, PipeOptions.CurrentUserOnly);
        new Thread(() => TestFeed.Read(pipe, _watch)) { IsBackground = true, Name = "async2 test feed" }.Start();
        return Task.CompletedTask;
    }

    public Task OnTestHostProcessStartedAsync(ITestHostProcessInformation testHostProcessInformation, CancellationToken cancellation)
    {
        _host = testHostProcessInformation.PID;
        _watch.Start();
        return Task.CompletedTask;
    }

    public Task OnTestHostProcessExitedAsync(ITestHostProcessInformation testHostProcessInformation, CancellationToken cancellation)
    {
        Dispose();
        return Task.CompletedTask;
    }

    public void Dispose()
    {
        _watch.Dispose();
        _pipe?.Dispose();
    }

    private void Report(HungTests hung)
    {
        foreach (string file in MtpReport.Run(_services, _host, hung))
            _ = _services.GetMessageBus().PublishAsync(this, new FileArtifact(new FileInfo(file), Path.GetFileName(file), "async stacks of a hang")).Wait(PublishLimit);
    }
}
