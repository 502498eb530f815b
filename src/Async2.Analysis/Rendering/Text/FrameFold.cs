using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Rendering.Text;

/// <summary>
/// Finds recursion in a stack: a run of equal frames, or of a repeated short sequence of frames,
/// is drawn once with a count. Visits each frame a bounded number of times, so the time is linear in the depth.
/// </summary>
public static class FrameFold
{
    /// <summary>The longest sequence that is recognized; mutual recursion of more methods than this is rare.</summary>
    private const int LongestPeriod = 6;

    /// <summary>Minimum number of repetitions before a sequence is folded: two calls of the same method are not yet recursion.</summary>
    private const int FewestRepeats = 3;

    /// <summary>Splits frames into runs, in the given order.</summary>
    internal static List<FrameRun> Fold(FrameList frames)
    {
        var runs = new List<FrameRun>();
        for (int i = 0; i < frames.Count;)
        {
            FrameRun run = RunAt(frames, i);
            runs.Add(run);
            i += run.Period * run.Repeats;
        }
        return runs;
    }

    private static FrameRun RunAt(FrameList frames, int start)
    {
        for (int period = 1; period <= LongestPeriod; period++)
        {
            int end = start + period;
            while (end < frames.Count && IsSameAs(frames.WithoutAddress(end), frames.WithoutAddress(end - period)))
                end++;
            int repeats = (end - start) / period;
            if (repeats >= FewestRepeats)
                return new FrameRun(start, period, repeats);
        }
        return new FrameRun(start, 1, 1);
    }

    /// <summary>Whether two frames look the same, apart from addresses.</summary>
    public static bool IsSameAs(LogicalFrame a, LogicalFrame b)
        => ReferenceEquals(a, b) || (a.Method == b.Method && a.Line == b.Line && a.File == b.File && a.ILOffset == b.ILOffset
            && a.Kind == b.Kind && a.Exactness == b.Exactness && a.Module == b.Module
            && a.Folded == b.Folded && a.Locals.AsSpan().SequenceEqual(b.Locals.AsSpan()));
}

/// <summary>A sequence of frames that comes once or several times in a row.</summary>
/// <param name="Start">Index of its first frame.</param>
/// <param name="Period">Frames in the sequence.</param>
/// <param name="Repeats">Number of repetitions; 1 if nothing is folded.</param>
internal readonly record struct FrameRun(int Start, int Period, int Repeats);
