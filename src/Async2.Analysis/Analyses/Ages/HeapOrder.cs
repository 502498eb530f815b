using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;

namespace Async2.Analysis.Analyses.Ages;

/// <summary>
/// Between which moments an object was made, by its place on the heap among timers that have a time.
/// <para>
/// Not before: the heap is filled upwards, and the collector keeps that order. But each thread fills a piece of its own, and survivors may fill
/// holes, so a timer that lies before an object can be younger. Then it is younger than timers behind it, too: so far as those around the
/// object are out of order, so much earlier is the bound. Among too few of them nothing is said.
/// </para>
/// <para>
/// Not after: what lies behind proves nothing, as a thread that allocates little fills an old piece for long. What has survived a collection
/// was there before it, and a timer of a younger generation was made after it.
/// </para>
/// </summary>
internal sealed class HeapOrder
{
    // Below this, order among timers does not tell how well it holds.
    private const int Least = 16;

    // Timers on each side by which disorder is measured.
    private const int Window = 64;

    // The tick count moves in steps of up to 16 ms.
    private const long Step = 20;

    private const int Generations = 3;

    private readonly AgeFacts _facts;
    private readonly IReadOnlyList<GenerationRange> _ranges;
    private readonly long?[] _survived;

    // One object, as several threads may ask the same model.
    private Bound? _last;

    /// <param name="facts">The timers.</param>
    /// <param name="ranges">Generations by address.</param>
    public HeapOrder(AgeFacts facts, IReadOnlyList<GenerationRange> ranges)
    {
        (_facts, _ranges) = (facts, ranges);
        _survived = Survived();
    }

    /// <summary>Ticks between which an object was made: not before the first, not after the second; null for no bound.</summary>
    /// <param name="address">The object.</param>
    public (long? After, long? Before) Of(ulong address) => RangeOf(address) is { } range ? (After(address, range), _survived[range.Generation]) : (null, null);

    private long? After(ulong address, GenerationRange range)
    {
        int position = Search(address);
        if (_last is { } last && ReferenceEquals(last.Range, range) && last.Position == position)
            return last.After;
        int first = Search(range.Start), end = Search(range.End);
        long? after = position > first && end - first >= Least
            ? _facts.Ticks[position - 1] - Disorder(Math.Max(first, position - Window), Math.Min(end, position + Window)) - Step : null;
        _last = new(range, position, after);
        return after;
    }

    // By how much a timer is older than one before it.
    private long Disorder(int start, int end)
    {
        long newest = long.MinValue, disorder = 0;
        for (int i = start; i < end; i++)
        {
            newest = Math.Max(newest, _facts.Ticks[i]);
            disorder = Math.Max(disorder, newest - _facts.Ticks[i]);
        }
        return disorder;
    }

    // For each generation: when a timer was made that is too young to be in it, at the earliest. An object in it was made before.
    private long?[] Survived()
    {
        long?[] survived = new long?[Generations];
        long[] newest = new long[Generations];
        for (int i = 0; i < _facts.Timers.Length; i++)
        {
            if (RangeOf(_facts.Timers[i]) is { } range)
                newest[range.Generation] = Math.Max(newest[range.Generation], _facts.Ticks[i]);
        }
        for (int i = 0; i < _facts.Timers.Length; i++)
        {
            // A survivor that the collector could not move may have been left in its generation; it is older than others that were moved.
            for (int older = RangeOf(_facts.Timers[i]) is { } range ? range.Generation + 1 : Generations; older < Generations; older++)
            {
                if (_facts.Ticks[i] > newest[older..].Max() && !(survived[older] <= _facts.Ticks[i] + Step))
                    survived[older] = _facts.Ticks[i] + Step;
            }
        }
        return survived;
    }

    private GenerationRange? RangeOf(ulong address)
    {
        int low = 0, high = _ranges.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) >>> 1;
            if (_ranges[middle].End <= address)
                low = middle + 1;
            else if (_ranges[middle].Start > address)
                high = middle - 1;
            else
                return _ranges[middle];
        }
        return null;
    }

    // The first timer at an address or behind it.
    private int Search(ulong address)
    {
        int found = Array.BinarySearch(_facts.Timers, address);
        return found < 0 ? ~found : found;
    }

    private sealed record Bound(GenerationRange Range, int Position, long? After);
}
