using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>
/// Which of the built-in layouts fits tasklets that nobody described: the first one by which all of a sample keep to the rules, or
/// else the one that breaks the fewest.
/// </summary>
internal static class TaskletGuess
{
    private const int Chains = 16;
    private const int FramesOfChain = 64;

    // Newest first. Fields that older layouts lack are read as absent.
    private static readonly string[] Candidates = [Baselines.UnwinderV4, Baselines.UnwinderV3];

    public static TaskletLayout? Of(TargetMemory memory, LayoutFacts facts, IReadOnlyList<PendingObject> owned)
    {
        TaskletLayout? best = null;
        int fewest = int.MaxValue;
        foreach (string name in Candidates)
        {
            if (TaskletLayout.Of(facts.OrBuiltIn(name), out _) is not { } layout)
                continue;
            int broken = BrokenIn(memory, layout, owned);
            if (broken < fewest)
                (best, fewest) = (layout, broken);
        }
        return best;
    }

    private static int BrokenIn(TargetMemory memory, TaskletLayout layout, IReadOnlyList<PendingObject> owned)
    {
        var collector = new TaskletCollector(new TaskletReader(memory, layout), new SiteTable(), new ProblemLog());
        for (int i = 0; i < owned.Count && i < Chains; i++)
            collector.Take(owned[i].StateObject, FramesOfChain);
        return collector.Broken;
    }
}
