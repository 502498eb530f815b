using Async2.Analysis.Targets.Memory;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>
/// Maps the dump that a debugger has open: its memory is then read in place by any thread, and not by the debugger, one block after the other
/// (decision 77). Only if the debugger shows the same bytes as the file.
/// </summary>
internal static class HostedMapping
{
    private const int MostProbes = 32;
    private const int ProbeSize = 256;

    /// <summary>Null if the file cannot be mapped, or is not what the debugger shows.</summary>
    /// <param name="runtime">The debugger's.</param>
    /// <param name="path">The dump's file.</param>
    public static MemoryImage? TryMap(ClrRuntime runtime, string path)
    {
        if (CoreMapping.TryMap(path) is not { } image)
            return null;
        if (IsShown(image, runtime))
            return image;
        image.Dispose();
        return null;
    }

    private static bool IsShown(MemoryImage image, ClrRuntime runtime)
    {
        Span<byte> own = stackalloc byte[ProbeSize], shown = stackalloc byte[ProbeSize];
        int same = 0;
        try
        {
            foreach (ClrSegment segment in runtime.Heap.Segments.Where(segment => segment.Length >= ProbeSize).Take(MostProbes))
            {
                if (image.Read(segment.Start, own) != ProbeSize)
                    continue;
                if (runtime.DataTarget.DataReader.Read(segment.Start, shown) != ProbeSize || !own.SequenceEqual(shown))
                    return false;
                same++;
            }
        }
        catch (Exception e) when (e is IOException or InvalidOperationException or ArgumentException or OverflowException)
        {
            // What is damaged is said by who reads it.
            return false;
        }
        return same > 0;
    }
}
