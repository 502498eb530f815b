using System.Globalization;
using Microsoft.Diagnostics.Runtime;

namespace Sos.Host;

/// <summary>What the host has open: a dump, or a process that is stopped.</summary>
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
        HasRuntime = true;
        // As hosts do where the DAC of that build is not available.
        if (Environment.GetEnvironmentVariable("SOS_HOST_DAC") == "none")
            return;
        string dac = Path.Join(Path.GetDirectoryName(clr.ModuleInfo.FileName), "libmscordaccore.so");
        Runtime = clr.CreateRuntime(dac, ignoreMismatch: true);
    }

    public bool IsDump { get; }

    /// <summary>There is .NET in it, whether it can be read or not.</summary>
    public bool HasRuntime { get; }

    /// <summary>Null if there is no .NET in it, or no DAC for it.</summary>
    public ClrRuntime? Runtime { get; }

    /// <summary>Lets a process go on, as lldb's detach does: what was read stays in the host.</summary>
    public void Detach() => _opened.Dispose();

    public void Dispose()
    {
        Runtime?.Dispose();
        _target.Dispose();
        _opened.Dispose();
    }
}
