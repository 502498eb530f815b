using System.Runtime.InteropServices;
using Async2.Dump.Workers;

namespace Async2.Dump.Cli;

/// <summary>
/// Ctrl-C and SIGTERM. The first asks the running command to stop and print what it has; a second one ends the process at
/// once. The kernel lets a process that we stopped continue when we exit, so exiting early is harmless.
/// </summary>
internal sealed class Interrupt : IDisposable
{
    private readonly CancellationTokenSource _source = new();
    private readonly PosixSignalRegistration[] _registrations;

    /// <summary>Starts to listen.</summary>
    public Interrupt() => _registrations =
    [
        PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal),
        PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal),
    ];

    /// <summary>Set by the first signal.</summary>
    public CancellationToken Token => _source.Token;

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (PosixSignalRegistration registration in _registrations)
            registration.Dispose();
        _source.Dispose();
    }

    private void OnSignal(PosixSignalContext context)
    {
        // Ctrl-C reaches the supervisor as well, which passes it on: counted twice, it would end the worker at once. Nothing can be passed on on Windows.
        if (WorkerProcess.IsThisOne && context.Signal == PosixSignal.SIGINT && !OperatingSystem.IsWindows())
        {
            context.Cancel = true;
            return;
        }
        if (_source.IsCancellationRequested)
            Environment.Exit(ExitCodes.Interrupted);
        context.Cancel = true;
        _source.Cancel();
    }
}
