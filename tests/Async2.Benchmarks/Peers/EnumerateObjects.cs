using System.Globalization;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Benchmarks.Peers;

/// <summary>
/// What anybody would write who wants to see all objects of a target with ClrMD, and nothing besides. The yardstick of the
/// other tools: none of them looks at a heap with less.
/// </summary>
internal static class EnumerateObjects
{
    public const string Command = "enumerate";

    /// <summary>The whole program, from an empty process to the number of objects.</summary>
    public static int Run(string target)
    {
        using DataTarget data = Open(target);
        using ClrRuntime runtime = Create(data);
        Console.WriteLine(Count(runtime.Heap));
        return 0;
    }

    /// <summary>Opens a pid, which is stopped, or a dump.</summary>
    public static DataTarget Open(string target) => int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int pid)
        ? DataTarget.AttachToProcess(pid, suspend: true)
        : DataTarget.LoadDump(target);

    public static ClrRuntime Create(DataTarget data)
    {
        string dac = Path.Join(Path.GetDirectoryName(typeof(object).Assembly.Location), "libmscordaccore.so");
        return data.ClrVersions[0].CreateRuntime(dac, ignoreMismatch: true);
    }

    public static long Count(ClrHeap heap)
    {
        long count = 0;
        foreach (ClrObject _ in heap.EnumerateObjects())
            count++;
        return count;
    }
}
