using System.Runtime.Versioning;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets.Memory;

/// <summary>The memory of a Windows process as mappings: regions, with the libraries that they belong to.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsMappings
{
    /// <summary>All of a process, by address.</summary>
    /// <exception cref="InvalidOperationException">It has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static List<MemoryMapping> Of(int pid)
    {
        using WindowsProcess process = WindowsProcess.Open(pid);
        Dictionary<ulong, string> names = process.Modules().ToDictionary(module => module.Start, module => module.Path);
        var all = new List<MemoryMapping>();
        foreach (WindowsRegion region in WindowsRegion.Of(process))
        {
            if (region.Kind != RegionKind.Private && !names.ContainsKey(region.AllocationStart))
                names[region.AllocationStart] = MappedNames.At(process, region.AllocationStart);
            string path = region.Kind == RegionKind.Private ? "" : names[region.AllocationStart];
            all.Add(new(region.Start, region.End, KindOf(region, path), Permissions(region), region.Start - region.AllocationStart, path));
        }
        return all;
    }

    // The runtime maps its code from memory of the paging file, which has no name.
    private static MappingKind KindOf(in WindowsRegion region, string path) => region.Kind switch
    {
        RegionKind.Private => MappingKind.Anonymous,
        RegionKind.Mapped when path.Length == 0 => MappingKind.DoubleMapped,
        _ => MappingKind.File,
    };

    // As Linux writes them. What may be written but never was, is as the file has it, and needs no copy.
    private static string Permissions(in WindowsRegion region)
        => $"{(region.IsReadable ? 'r' : '-')}{(region.IsWritable && !region.IsUntouched ? 'w' : '-')}{(region.IsExecutable ? 'x' : '-')}{(region.Kind == RegionKind.Mapped ? 's' : 'p')}";
}
