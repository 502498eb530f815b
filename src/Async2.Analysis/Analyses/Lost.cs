using System.Globalization;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses;

/// <summary>Operations that go on without anybody who waits for them: what lost a WhenAny and piles up, what will be collected as it is, and what has failed without anybody hearing of it.</summary>
internal sealed class Lost : IAnalysis
{
    // Fewer are what every program has for a moment.
    private const int Pile = 10;

    /// <summary>Its name.</summary>
    public const string Name = "lost";

    public string Rule => Name;

    public IEnumerable<Finding> Find(AnalysisInput input) => LostFaults.In(input).Concat(Operations(input));

    private IEnumerable<Finding> Operations(AnalysisInput input)
    {
        AsyncModel model = input.Model;
        HashSet<int> orphans = [.. model.Facts.Orphans.Select(row => row.Node)];
        IEnumerable<IGrouping<(string Place, LostFact Fact), LostRow>> groups = model.Facts.Lost
            .Where(row => model.Graph.StackOf(row.Node) is >= 0 and var stack && IsPending(model, stack) && !IsOrphan(row, orphans, stack, model))
            .GroupBy(row => (input.Names.Of(row.Node), row.Fact));
        foreach (IGrouping<(string Place, LostFact Fact), LostRow> group in groups)
        {
            int[] stacks = [.. group.Select(row => model.Graph.StackOf(row.Node)).Distinct()];
            if (group.Key.Fact == LostFact.Unreachable || stacks.Length >= Pile)
                yield return Describe(input, group.First().Node, group.Key.Fact, stacks);
        }
    }

    private Finding Describe(AnalysisInput input, int node, LostFact fact, int[] stacks)
    {
        string count = stacks.Length == 1 ? "" : string.Create(CultureInfo.InvariantCulture, $"{stacks.Length:N0} x ");
        string what = $"{count}{input.Names.Of(node)}";
        bool isLeft = fact == LostFact.WaiterLeft;
        string text = isLeft ? $"{what} is pending, and those who waited for it have left: losers of WhenAny pile up" : $"{what} is pending, nobody waits for it, and no root reaches it: it will be collected without having gone on";
        return new(Rule, Severity.Info, isLeft ? Confidence.Likely : Confidence.Possible, text, [])
        {
            Members = [.. stacks],
            Evidence = [input.Names.Step(node, isLeft ? "its list of waiters is there, and empty" : "no root reaches its task")],
            DisprovedBy = isLeft ? "There are not more of them when you look again." : "Something native keeps it that this tool does not know.",
            Next = isLeft ? "Cancel what lost: give it a token, and cancel that when WhenAny or WaitAsync is over." : "Keep the task and await it somewhere.",
        };
    }

    private static bool IsOrphan(in LostRow row, HashSet<int> orphans, int stack, AsyncModel model)
        => row.Fact == LostFact.Unreachable && (orphans.Contains(row.Node) || Enumerable.Range(0, model.Stacks.NodeCount(stack)).Any(part => orphans.Contains(model.Stacks.NodeOf(stack, part))));

    // What ends by its own timer is a debounce, and what a framework does is its own business.
    private static bool IsPending(AsyncModel model, int stack)
        => model.Stacks.Rows[stack].State == StackState.Awaiting && model.Stacks.IdleOf(stack) is null && model.HasUserFrame(stack)
            && !(model.Reasons.TryGetValue(model.Stacks.Rows[stack].WaitAddress, out WaitReason? reason) && reason.EndsByItself);
}
