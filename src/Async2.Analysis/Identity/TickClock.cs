using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Identity;

/// <summary>
/// Turns dates of a target into its tick count. <c>TimerQueue.s_tickCountToTimeMap</c> has one moment by both clocks, taken when the program first used a timer;
/// of a process there is the moment of its capture, too. If they differ, somebody has set the clock: the earlier answer holds.
/// </summary>
internal sealed class TickClock(Target target)
{
    private const string Queue = "System.Threading.TimerQueue", Map = "s_tickCountToTimeMap";

    private readonly Lazy<(long Tick, long Date)?> _map = new(() => ReadMap(target));

    /// <summary>The tick count at a date; null if nothing tells.</summary>
    /// <param name="date">Ticks of a DateTime in UTC.</param>
    public long? TickAt(long date)
    {
        long? byMap = _map.Value is var (tick, at) ? tick + Ms(date - at) : null;
        long? byCapture = target.CapturedAt is { Wall: { } wall, Tick: { } now } ? now + Ms(date - wall.UtcTicks) : null;
        return byMap is { } one && byCapture is { } other ? Math.Min(one, other) : byMap ?? byCapture;
    }

    private static long Ms(long ticks) => (long)Math.Floor((double)ticks / TimeSpan.TicksPerMillisecond);

    // A struct, so the static field refers to a box.
    private static (long Tick, long Date)? ReadMap(Target target)
    {
        if (target.Runtime.AppDomains.FirstOrDefault() is not { } domain || target.Runtime.BaseClassLibrary.GetTypeByName(Queue)?.GetStaticFieldByName(Map) is not { } field
            || field.GetAddress(domain) is not (not 0 and var slot) || !target.Memory.TryReadPointer(slot, out ulong box))
            return null;
        return Pair(new(target.Memory, slot), 0) ?? Pair(new(target.Memory, box), target.Memory.PointerSize);
    }

    private static (long Tick, long Date)? Pair(HeapObject at, int offset)
        => at.Int64(offset) is > 0 and < long.MaxValue / TimeSpan.TicksPerMillisecond and var tick && at.Int64(offset + sizeof(long)) is { } date && ActivityReader.DateOf(date) is { } known ? (tick, known) : null;
}
