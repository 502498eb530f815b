using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses;

/// <summary>
/// Uses further looks at a process: what one look can only call possible gets likely where what it rests on has not moved, and what has moved was
/// not what it seemed. What follows from memory alone stays as it is.
/// </summary>
internal static class SecondLook
{
    // A program that works does not move for so long, either: the pool's own gate waits as long before it acts.
    private const long LeastApart = 500;

    /// <summary>The findings that are left, as sure as they are now.</summary>
    public static IEnumerable<Finding> Judge(IEnumerable<Finding> found, Movement movement)
        => found.Select(finding => finding.Rests is { } rests ? Judge(finding, rests, Of(rests, movement), movement.Looks) : finding).OfType<Finding>();

    // As still as that of its parts which has stood for the shortest time.
    private static Stillness Of(Standstill rests, Movement movement)
    {
        List<Stillness> parts = [.. rests.Stacks.Select(movement.OfStack)];
        if (rests.Queue >= 0)
            parts.Add(movement.OfQueue(rests.Queue));
        if (rests.Pool)
            parts.Add(movement.OfPool());
        if (parts.Exists(part => part.Proof == Motion.Moved))
            return new(Motion.Moved, 1, 0, HasMoved: true);
        return parts.Count > 0 && parts.TrueForAll(part => part.Proof == Motion.Still) ? parts.MinBy(part => part.Ms) : default;
    }

    private static Finding? Judge(Finding finding, Standstill rests, Stillness stillness, int looks)
    {
        bool isStill = stillness.Motion == Motion.Still;
        Finding seen = finding with { Motion = stillness.Motion, Still = isStill ? new(stillness.Ms, stillness.Looks, looks) : null };
        return (stillness.Motion, finding.Confidence) switch
        {
            (Motion.Still, var confidence) when stillness.Ms >= LeastApart && rests.IfStill > confidence => With(seen, rests, rests.IfStill.Value),
            (Motion.Moved, Confidence.Certain) => rests.IsLoadIfMoved ? seen with { Severity = Severity.Info } : seen,
            (Motion.Moved, _) when rests.IsLoadIfMoved => seen with { Severity = Severity.Info, Confidence = Confidence.Possible },
            (Motion.Moved, Confidence.Likely) => With(seen, rests, Confidence.Possible),
            (Motion.Moved, _) => null,
            _ => seen,
        };
    }

    private static Finding With(Finding finding, Standstill rests, Confidence confidence) => finding with
    {
        Confidence = confidence,
        Severity = !rests.IsErrorIfLikely ? finding.Severity : confidence == Confidence.Possible ? Severity.Warning : Severity.Error,
        // Nothing is left that could disprove what is certain.
        DisprovedBy = confidence == Confidence.Certain ? null : finding.DisprovedBy,
    };
}
