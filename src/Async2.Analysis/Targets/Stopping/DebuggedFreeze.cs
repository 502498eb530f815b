using System.Runtime.Versioning;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>Holds all threads of a Windows process by a debug object (<see cref="DebugHold"/>).</summary>
/// <param name="pid">The process.</param>
/// <param name="limit">It is released when it has been stopped for so long.</param>
[SupportedOSPlatform("windows")]
internal sealed class DebuggedFreeze(int pid, TimeSpan limit) : ProcessFreeze(limit)
{
    private const uint Access = WindowsCalls.SuspendResume | WindowsCalls.QueryInformation | WindowsCalls.ReadMemory | WindowsCalls.Synchronize;

    // Wine also asks for the right to write, of which Windows makes no use here.
    private static readonly uint[] Rights = [Access, Access | WindowsCalls.WriteMemory];

    private WindowsProcess? _process;
    private DebugHold? _hold;
    private Dictionary<uint, byte[]> _registers = [];

    /// <inheritdoc/>
    public override Dictionary<uint, byte[]> Registers(int pid) => _registers;

    /// <inheritdoc/>
    protected override bool Hold()
    {
        foreach (uint rights in Rights)
        {
            _process?.Dispose();
            _process = WindowsProcess.TryOpen(pid, rights, out _);
            _hold = _process is null ? null : DebugHold.TryTake(_process);
            if (_hold is null)
                continue;
            _registers = ThreadContextReader.Read(_process!);
            return _registers.Count > 0;
        }
        return false;
    }

    /// <inheritdoc/>
    protected override void LetGo()
    {
        _hold?.Dispose();
        _process?.Dispose();
    }
}
