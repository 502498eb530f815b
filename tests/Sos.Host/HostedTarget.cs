using System.Globalization;
using Microsoft.Diagnostics.Runtime;

namespace Sos.Host;

/// <summary>What the host has open: a dump, or a process that stands still.</summary>
internal sealed class HostedTarget : IDisposable
{
    private readonly DataTarget _opened;
    private readonly DataTarget _target;

    public HostedTarget(string target)
    {
        IsDump = !int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int pid);
        var options = new DataTargetOptions { SymbolPaths = [] };
        _opened = IsDump ? DataTarget.LoadDump(target, options) : DataTarget.AttachToProcess(pid, suspend: true, options);
        _target = new DataTarget(new HostReader(_opened.DataReader), options);
        if (_target.ClrVersions.FirstOrDefault() is not { } clr)
            return;
        string dac = Path.Join(Path.GetDirectoryName(clr.ModuleInfo.FileName), "libmscordaccore.so");
        Runtime = clr.CreateRuntime(dac, ignoreMismatch: true);
    }

    public bool IsDump { get; }

    /// <summary>Null when there is no .NET in it.</summary>
    public ClrRuntime? Runtime { get; }

    public void Dispose()
    {
        Runtime?.Dispose();
        _target.Dispose();
        _opened.Dispose();
    }
}
