using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Reachability;

/// <summary>
/// Looks once more, in the process that runs on, at what nothing can end as it was when it was copied. A wait that has ended meanwhile could be ended: by something that was not seen, in the
/// registers of a thread that was about to do it, say. What a collection has moved cannot be told from that, and is not claimed either.
/// </summary>
internal static class StillWaiting
{
    // The words in which an object of the framework says that it has completed are among its first.
    private const int Compared = 128;

    // Of one that a million wait for, the first say it.
    private const int MostObjects = 8;

    /// <summary>Those that still stand as they were; all of them where no process runs on.</summary>
    public static IReadOnlyList<(WaitGate Wait, OrphanFact Fact)> Of(Target target, IReadOnlyList<(WaitGate Wait, OrphanFact Fact)> waits)
    {
        if (waits.Count == 0 || target.Origin is not { IsHosted: false, Freeze: null, SystemPid: { } pid })
            return waits;
        try
        {
            using var live = new LiveMemory(pid);
            return [.. waits.Where(found => IsStill(target, live, found.Wait))];
        }
        catch (Exception e) when (e is InvalidOperationException or UnauthorizedAccessException)
        {
            // It has ended since, or changed hands: what was copied is all that is known.
            return waits;
        }
    }

    private static bool IsStill(Target target, LiveMemory live, WaitGate wait)
        => IsSame(target, live, wait.Awaited) && AreSame(target, live, wait.Entries) && AreSame(target, live, wait.Waiters);

    private static bool AreSame(Target target, LiveMemory live, ReadOnlySpan<ulong> objects)
    {
        foreach (ulong item in objects[..Math.Min(objects.Length, MostObjects)])
        {
            if (!IsSame(target, live, item))
                return false;
        }
        return true;
    }

    private static bool IsSame(Target target, LiveMemory live, ulong address)
    {
        if (address == 0 || target.Runtime.Heap.GetObject(address) is not { IsValid: true } item)
            return true;
        int length = (int)Math.Min(item.Size, Compared);
        Span<byte> then = stackalloc byte[Compared], now = stackalloc byte[Compared];
        return !target.Memory.TryRead(address, then[..length]) || (live.Read(address, now[..length]) == length && then[..length].SequenceEqual(now[..length]));
    }
}
