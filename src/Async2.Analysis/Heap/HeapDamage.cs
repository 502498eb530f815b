
namespace Async2.Analysis.Heap;

/// <summary>
/// Finds the next valid part of the heap after damage: the next place where several objects of known types follow each other.
/// Runs when all sound parts have been walked, so that the types are known.
/// </summary>
/// <param name="walk">Walks what is behind it.</param>
/// <param name="isStill">Nothing was allocated while the target was read, so that allocation contexts are where they say.</param>
/// <param name="exhausted">How many allocation contexts may be used up to their end: no list has those.</param>
/// <param name="cancellation">When set, it stops.</param>
internal sealed class HeapDamage(SegmentWalk walk, bool isStill, int exhausted, CancellationToken cancellation)
{
    private int _exhausted = exhausted;

    // So many objects in a row are not a coincidence; a single value that looks like a method table can be anywhere.
    private const int ProofLength = 4;
    private const ulong Step = 8;

    // Memory that a thread has just taken for an object and not yet written is zero. It lies right before what is unused of the thread's
    // allocation context, or at the end of the segment, and is shorter than what goes to the large object heap (85,000 bytes).
    // Other zeros are damage.
    private const ulong UnwrittenLimit = 88 * 1024;

    /// <summary>Bytes that were skipped and that something may have lain in.</summary>
    public ulong Skipped { get; private set; }

    /// <summary>The first object that was invalid, zeros apart; null if there was none.</summary>
    public ulong? First { get; private set; }

    /// <summary>Walks the rest of a segment from a damaged spot.</summary>
    /// <param name="at">The spot.</param>
    /// <param name="end">Of the segment.</param>
    /// <param name="add">Receives what is found behind it.</param>
    public void WalkRest(ulong at, ulong end, Action<SegmentRows> add)
    {
        while (at < end && !cancellation.IsCancellationRequested)
        {
            if (BehindUnwritten(at, end) is { } unused)
                at = Walk(unused, end, add);
            else if (BehindFullContext(at, end) is { } behind && Walk(behind, end, add) is var reached && reached > behind)
                (at, _exhausted) = (reached, _exhausted - 1);
            else
                at = WalkBehindDamage(at, end, add);
        }
    }

    private ulong WalkBehindDamage(ulong at, ulong end, Action<SegmentRows> add)
    {
        ulong next = Next(at, end, out bool onlyZeros);
        if (!onlyZeros || !(IsUnwritten(at, next, end) || IsRestOfContext(at, next)))
        {
            Skipped += next - at;
            First ??= at;
        }
        return next < end ? Walk(next, end, add) : end;
    }

    private ulong Walk(ulong at, ulong end, Action<SegmentRows> add)
    {
        SegmentRows rows = walk.Run(at, end);
        add(rows);
        return rows.End;
    }

    // The unused part of a context ends where objects begin, so types that were met nowhere else need no proof.
    private ulong? BehindUnwritten(ulong at, ulong end)
    {
        ulong gap = walk.EndOfObjects(at, end);
        return isStill && gap < end && gap - at <= UnwrittenLimit && AreZeros(at, gap) ? gap : null;
    }

    // The last word may be the header of the object behind it.
    private ulong? BehindFullContext(ulong at, ulong end)
        => _exhausted > 0 && end - at > walk.LeastObject && AreZeros(at, at + walk.LeastObject - (walk.LeastObject / 3)) ? at + walk.LeastObject : null;

    private bool AreZeros(ulong at, ulong to)
    {
        while (at < to)
        {
            ReadOnlySpan<byte> bytes = walk.Window.From(at, to);
            if (bytes.IsEmpty || bytes.ContainsAnyExcept((byte)0))
                return false;
            at += (ulong)bytes.Length;
        }
        return true;
    }

    // What is kept free at the end of each context, to be closed with the smallest object.
    private bool IsRestOfContext(ulong at, ulong next) => next - at == walk.LeastObject && _exhausted-- > 0;

    private bool IsUnwritten(ulong at, ulong next, ulong end)
    {
        if (!isStill)
            return next - at <= UnwrittenLimit;
        while (at < next)
        {
            ulong gap = walk.EndOfObjects(at, next);
            if (gap - at > UnwrittenLimit || (gap == next && next != end && !walk.IsGap(next)))
                return false;
            at = gap == next ? next : walk.EndOfGap(gap, next);
        }
        return true;
    }

    private ulong Next(ulong at, ulong end, out bool onlyZeros)
    {
        onlyZeros = true;
        ulong candidate = at;
        while (candidate < end && !cancellation.IsCancellationRequested)
        {
            ReadOnlySpan<byte> bytes = walk.Window.From(candidate, end);
            if (bytes.Length < (int)Step)
            {
                onlyZeros = false;
                candidate = walk.Window.NextReadable(candidate, end, cancellation);
                continue;
            }
            // The window is used again for the proof: only addresses are kept.
            int zeros = bytes.IndexOfAnyExcept((byte)0);
            ulong skip = zeros < 0 ? (ulong)bytes.Length : (ulong)zeros;
            candidate += skip & ~(Step - 1);
            if (zeros < 0)
                continue;
            if (candidate != at && IsProven(candidate, end))
                return candidate;
            // The word before an object is its header (coreclr, ObjHeader): a hash code, a thin lock, or what was there before; at the end that of the next one.
            if (candidate != at && (candidate + Step == end || IsProven(candidate + Step, end)))
                return candidate + Step;
            onlyZeros = false;
            candidate += Step;
        }
        return end;
    }

    private bool IsProven(ulong address, ulong end)
    {
        for (int i = 0; i < ProofLength; i++)
        {
            if (address == end || walk.IsGap(address))
                return true;
            if (!walk.IsLikelyObject(address, end, out address))
                return false;
        }
        return true;
    }
}
