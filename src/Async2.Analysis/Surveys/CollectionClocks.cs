using System.Runtime.InteropServices;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Analysis.Surveys;

/// <summary>
/// Finds where a runtime counts its collections. No contract says it (as of .NET 10), but the runtime has a function that does:
/// <c>GC.CollectionCount</c> calls the native <c>_CollectionCount</c> (coreclr 9 and 10, src/coreclr/vm/ecalllist.h: a table of implementations and
/// names), which asks <c>IGCHeap::CollectionCount</c>. That is followed by hand, without running it.
/// </summary>
/// <param name="memory">The process.</param>
internal sealed class CollectionClocks(LiveMemory memory)
{
    // Slots of IGCHeap (src/coreclr/gc/gcinterface.h); the interface is versioned, and only grows at its end. The runtime's own code confirms the second place, so nothing was put in before it.
    private const ulong IsConcurrentInProgress = 5 * sizeof(ulong);
    private const ulong CollectionCount = 23 * sizeof(ulong);
    private const int TextBlock = 1 << 20;

    /// <summary>Null where it cannot be told.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="runtime">Where the module begins that has the runtime.</param>
    public static CollectionClock? Find(int pid, ulong runtime)
    {
        if (RuntimeInformation.ProcessArchitecture != Architecture.X64)
            return null;
        List<MemoryMapping> all = MemoryMapping.Of(pid);
        string? module = all.Find(mapping => mapping.Start <= runtime && runtime < mapping.End)?.Path;
        MemoryMapping[] own = [.. all.Where(mapping => mapping.IsReadable && mapping.IsFile && mapping.Path == module)];
        // Without it (before .NET 9) nothing tells that a collection goes on while it is looked at.
        if (RuntimeSuspension.Find(pid, all) is not { } suspension)
            return null;
        var memory = new LiveMemory(pid);
        var clocks = new CollectionClocks(memory);
        foreach (ulong function in clocks.Functions(own))
        {
            if (clocks.At(function, suspension) is { } clock)
                return clock;
        }
        memory.Dispose();
        return null;
    }

    // What stands before each pointer to the name: the implementation.
    private IEnumerable<ulong> Functions(MemoryMapping[] own)
    {
        foreach (ulong name in own.Where(mapping => !mapping.IsWritable && !mapping.IsExecutable).SelectMany(mapping => Find(mapping, "\0_CollectionCount\0"u8.ToArray(), 1)).ToArray())
        {
            byte[] pointer = BitConverter.GetBytes(name + 1);
            foreach (ulong row in own.Where(mapping => !mapping.IsExecutable).SelectMany(mapping => Find(mapping, pointer, sizeof(ulong))).ToArray())
            {
                if (Read(row - sizeof(ulong), sizeof(ulong)) is { } function && own.Any(mapping => mapping.IsExecutable && mapping.Start <= function && function < mapping.End))
                    yield return function;
            }
        }
    }

    private List<ulong> Find(MemoryMapping mapping, byte[] wanted, ulong alignment)
    {
        var found = new List<ulong>();
        byte[] block = new byte[TextBlock + wanted.Length];
        for (ulong at = mapping.Start; at < mapping.End; at += TextBlock)
        {
            int length = memory.Read(at, block.AsSpan(0, (int)Math.Min((ulong)block.Length, mapping.End - at)));
            for (int from = 0; from < length && block.AsSpan(from, length - from).IndexOf(wanted) is >= 0 and var index; from += index + 1)
            {
                ulong place = at + (ulong)(from + index);
                if (place % alignment == 0 && (ulong)(from + index) < TextBlock)
                    found.Add(place);
            }
        }
        return found;
    }

    private CollectionClock? At(ulong function, RuntimeSuspension suspension)
    {
        ulong[] places = new ulong[3];
        ulong heap = 0, table = 0;
        for (uint generation = 0; generation < 3; generation++)
        {
            // The collector, its functions, the slot; and what that function reads.
            if (X64Function.Loads(function, Read, [generation, 0]) is not [var collector, var functions, var slot, .., var count]
                || functions.Address != collector.Value || slot.Address != functions.Value + CollectionCount)
                return null;
            (heap, table, places[generation]) = (collector.Value, functions.Value, count.Address);
        }
        if (Read(table + IsConcurrentInProgress, sizeof(ulong)) is not { } concurrent || X64Function.Loads(concurrent, Read, [heap]) is not [.., var noted])
            return null;
        bool areApart = places.Append(noted.Address).Distinct().Count() == 4 && places.All(place => place != 0);
        return areApart ? new(memory, new(places[0], places[1], places[2]), noted.Address, suspension) : null;
    }

    private ulong? Read(ulong address, int bytes)
    {
        Span<byte> buffer = stackalloc byte[sizeof(ulong)];
        buffer.Clear();
        return bytes is > 0 and <= sizeof(ulong) && memory.Read(address, buffer[..bytes]) == bytes ? BitConverter.ToUInt64(buffer) : null;
    }
}
