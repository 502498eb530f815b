using System.Runtime.InteropServices;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Runtimes;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets;

/// <summary>The common part of opening a process and a dump: find the .NET runtime in it and load its DAC.</summary>
internal static class RuntimeOpener
{
    public static DataTargetOptions ReaderOptions() => new()
    {
        FileLocator = new NoSymbolServer(),
        SymbolPaths = [],
        // PhysicalStack keeps the frames of a thread, which may be given another place to begin at.
        CacheOptions = new() { CacheStackTraces = false },
        // Not UseLockFreeMemoryMapReader: with it (ClrMD 4.1.745802) the DAC reports the JIT's code heaps of a core as empty.
    };

    /// <summary>Builds a target from an open reader, or closes the reader and says why not.</summary>
    public static Target Open(GuardedReader reader, TargetOptions options, TargetOrigin origin, TargetException noRuntime)
    {
        var dataTarget = new DataTarget(reader, ReaderOptions());
        try
        {
            CheckProcessor(reader);
            ClrInfo clr = dataTarget.ClrVersions.FirstOrDefault() ?? throw noRuntime;
            // Without a copy, reading starts only now.
            origin = origin with { View = origin.Copy is null ? origin.View?.Confirm() : origin.View };
            DacChoice dac = DacLocator.Find(clr, options, origin.View);
            ClrRuntime runtime = CreateRuntime(clr, dac.File, isChosen: options.DacPath is not null);
            return new Target(dataTarget, runtime, options, origin with { RuntimeVersion = RuntimeVersion(clr), Problems = origin.Problems.AddRange(dac.Problems) });
        }
        catch
        {
            dataTarget.Dispose();
            throw;
        }
    }

    /// <summary>The DAC that would be loaded.</summary>
    public static DacChoice FindDac(GuardedReader reader, TargetOptions options, ProcessView view, TargetException noRuntime)
    {
        using var dataTarget = new DataTarget(reader, ReaderOptions());
        CheckProcessor(reader);
        ClrInfo clr = dataTarget.ClrVersions.FirstOrDefault() ?? throw noRuntime;
        return DacLocator.Find(clr, options, view.Confirm());
    }

    // The DAC is native code of the system and the processor that the target ran on.
    private static void CheckProcessor(GuardedReader reader)
    {
        if (!RuntimeInformation.IsOSPlatform(reader.TargetPlatform))
        {
            string system = reader.TargetPlatform.ToString().ToLowerInvariant();
            throw new TargetException($"The target is of another system ({system}): it can only be read there.", $"run {HostCommands.Current.Name} on a {system} machine"
                + (reader.TargetPlatform == OSPlatform.Windows && OperatingSystem.IsLinux() ? ", or here under Wine (docs/windows.md)." : "."));
        }
        if (reader.Architecture != RuntimeInformation.ProcessArchitecture)
        {
            (string theirs, string own) = (Name(reader.Architecture), Name(RuntimeInformation.ProcessArchitecture));
            throw new TargetException($"The target is of another processor: it is of {theirs}, and this tool runs on {own}.", $"run {HostCommands.Current.Name} on a machine with {theirs}.");
        }
    }

    private static string Name(Architecture architecture) => architecture.ToString().ToLowerInvariant();

    private static ClrRuntime CreateRuntime(ClrInfo clr, CodeFile dac, bool isChosen)
    {
        try
        {
            // The build id was compared, or the user trusts the file; ClrMD's own check needs a file version, which ELF does not have.
            return clr.CreateRuntime(dac.LoadPath, ignoreMismatch: true);
        }
        catch (Exception e) when (e is not TargetException)
        {
            throw new TargetException(
                $"The runtime in the target could not be read with '{dac.Name}': {ReadFault.Reason(e)}.",
                isChosen
                    ? $"check the file given as --dac: it has to be {TargetOptions.DacFileName} of the target's exact build."
                    : "if it is a process, try again when it has started; if it is a dump, write a new one: " + HostCommands.Current.CollectDump("PID"),
                e)
            {
                MayPass = true,
            };
        }
    }

    /// <summary>Version of a runtime, <c>10.0.12</c>; null if unknown.</summary>
    public static string? RuntimeVersion(ClrInfo clr)
        => DacLocator.VersionInPath(clr.ModuleInfo.FileName) ?? RuntimeVersionText.Of(clr);
}
