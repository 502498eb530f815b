namespace Async2.Dump.Workers;

/// <summary>A worker on Linux.</summary>
/// <param name="pid">A child that nobody has waited for.</param>
internal sealed class NativeWorker(int pid) : WorkerProcess
{
    /// <inheritdoc/>
    public override void Dispose()
    {
    }

    /// <inheritdoc/>
    protected override void WaitForEnd() => NativeProcess.WaitForEnd(pid);

    /// <inheritdoc/>
    protected override int Collect() => NativeProcess.Wait(pid);

    /// <inheritdoc/>
    protected override void Ask() => _ = NativeProcess.Signal(pid, NativeProcess.SIGTERM);

    /// <inheritdoc/>
    protected override void Kill() => _ = NativeProcess.Signal(pid, NativeProcess.SIGKILL);
}
