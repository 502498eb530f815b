using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// The order of lists: what is wrong first (stacks of findings, worst first, then deadlocked ones), then stacks with code of the user, then those of frameworks
/// alone, idle loops last; within each as in the answer.
/// </summary>
internal static class StackRanks
{
    private const int FarthestUserFrame = 1000;

    /// <summary>Numbers of the stacks, from 1.</summary>
    public static int[] InOrder(StackView snapshot)
    {
        var accused = new Dictionary<string, Severity>(StringComparer.Ordinal);
        foreach (Finding finding in snapshot.Findings)
        {
            foreach (string stack in finding.Stacks.Concat(finding.Evidence.Select(step => step.Stack).OfType<string>()))
                accused[stack] = accused.TryGetValue(stack, out Severity known) && known > finding.Severity ? known : finding.Severity;
        }
        return [.. Enumerable.Range(1, snapshot.Stacks.Length).OrderBy(number => RankOf(snapshot.Stacks[number - 1], accused))];
    }

    // A hint about what is merely slow accuses nobody.
    private static int RankOf(LogicalStack stack, Dictionary<string, Severity> accused)
        => stack.Idle is not null ? 5
        : accused.GetValueOrDefault(stack.Id) is Severity.Error && accused.ContainsKey(stack.Id) ? 0
        : stack.State == StackState.Deadlocked ? 1
        : accused.GetValueOrDefault(stack.Id) is Severity.Warning ? 2
        : HasUserCode(stack) ? 3 : 4;

    private static bool HasUserCode(LogicalStack stack)
    {
        // Outermost frames are the user's, unless a framework calls them.
        for (int i = 0; i < Math.Min(stack.Frames.Count, FarthestUserFrame); i++)
        {
            if (!stack.Frames.WithoutAddress(i).IsFramework)
                return true;
        }
        return stack.Frames.Count > FarthestUserFrame;
    }
}
