using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses.Contract;

/// <summary>Findings about waits that nothing ends: where they are, and what hangs on them.</summary>
internal static class HangingFindings
{
    /// <summary>Stacks that wait, for an operation or as a thread, and for a reason of some kind.</summary>
    /// <param name="model">The model.</param>
    /// <param name="isMeant">Which reasons are meant.</param>
    /// <returns>Number of the innermost operation or segment of each, and why it waits.</returns>
    public static IEnumerable<(int Node, WaitReason Reason)> Waits(AsyncModel model, Func<WaitReason, bool> isMeant)
    {
        // There may be a million stacks, and mostly no such reason.
        if (!model.Facts.Blocked.Values.Concat(model.Reasons.Values).Any(isMeant))
            yield break;
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            if (model.Stacks.Rows[stack].State is StackState.Awaiting or StackState.Blocked && model.ReasonOf(stack) is { } reason && isMeant(reason))
                yield return (model.Stacks.NodeOf(stack, 0), reason);
        }
    }

    /// <summary>With how many hang, and which.</summary>
    /// <param name="finding">What is said.</param>
    /// <param name="input">The model.</param>
    /// <param name="nodes">What cannot go on.</param>
    /// <param name="isExplained">Nothing else has to be said of what those wait for.</param>
    public static Finding WithHanging(this Finding finding, AnalysisInput input, IEnumerable<int> nodes, bool isExplained = false)
    {
        IReadOnlyList<int> behind = input.Stuck.StacksBehind(nodes);
        return finding with { Blocked = behind.Count, Hanging = behind, Behind = isExplained ? [.. behind] : [] };
    }
}
