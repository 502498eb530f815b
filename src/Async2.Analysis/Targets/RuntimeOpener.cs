using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets;

/// <summary>What opening a process and opening a dump have in common: find the .NET runtime in it and load its DAC.</summary>
internal static class RuntimeOpener
{
    public static DataTargetOptions ReaderOptions() => new()
    {
        FileLocator = new NoSymbolServer(),
        SymbolPaths = [],
        // Not UseLockFreeMemoryMapReader: with it (ClrMD 4.1.745802) the DAC reports the JIT's code heaps of a core as empty.
    };

    /// <summary>Builds a target from an open reader, or closes the reader and says why not.</summary>
    public static Target Open(DataTarget dataTarget, TargetOptions options, TargetOrigin origin, TargetException noRuntime, bool trustTargetPath)
    {
        try
        {
            ClrInfo clr = dataTarget.ClrVersions.FirstOrDefault() ?? throw noRuntime;
            string dac = DacLocator.Find(clr, options, trustTargetPath);
            ClrRuntime runtime = CreateRuntime(clr, dac);
            return new Target(dataTarget, runtime, options, origin with { RuntimeVersion = RuntimeVersion(clr) });
        }
        catch
        {
            dataTarget.Dispose();
            throw;
        }
    }

    private static ClrRuntime CreateRuntime(ClrInfo clr, string dac)
    {
        try
        {
            // The build id was compared, or the user vouched for the file; ClrMD's own check wants a file version that ELF lacks.
            return clr.CreateRuntime(dac, ignoreMismatch: true);
        }
        catch (Exception e) when (e is not TargetException)
        {
            throw new TargetException(
                $"The runtime in the target could not be read with '{dac}': {e.Message}",
                "if the target is a dump, check that it is whole (dotnet-async2 dump collect PID writes a good one); with --dac, check that the file is of the target's exact build.",
                e);
        }
    }

    private static string? RuntimeVersion(ClrInfo clr)
        => DacLocator.VersionInPath(clr.ModuleInfo.FileName) ?? (clr.Version.Major > 0 ? clr.Version.ToString(3) : null);
}
