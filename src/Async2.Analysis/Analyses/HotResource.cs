using System.Globalization;
using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>
/// What blocks most: something for which a large share of all stacks waits, with who holds it and what that waits for. A holder that runs, or whose timer
/// is due soon, makes progress and is not accused; nor is a signal, an event or a channel, for which many wait because there is nothing to do.
/// </summary>
internal sealed class HotResource : IAnalysis
{
    // Fewer wait behind anything in a program that is well.
    private const int LeastStacks = 10;

    // At most five things side by side can be that hot, and each of them is worth a look. Of things behind each other, who waits for the innermost waits
    // for all: those that hold up most are enough.
    private const double LeastShare = 0.2;
    private const int FindingLimit = 5;

    private const int StepLimit = 4;

    // So many things are judged before it is counted who waits for what through others, which takes longer and much memory.
    private const int EarlyLimit = 64;

    public string Rule => "hot-resource";

    public IEnumerable<Finding> Find(AnalysisInput input)
    {
        AsyncModel model = input.Model;
        // Cheap for the many programs in which nothing has that many waiters.
        if (!HasCandidates(input))
            yield break;
        var forest = new WaitForest(model);
        int least = Math.Max(LeastStacks, (int)Math.Ceiling(LeastShare * forest.Total));
        IEnumerable<int> hot = Enumerable.Range(0, forest.Stacks.Length).Where(node => forest.WaitingFor(node) >= LeastStacks && forest.Stacks[node] >= least)
            .OrderByDescending(node => forest.Stacks[node]).ThenBy(node => node);
        int named = 0;
        foreach (int node in hot)
        {
            if (IsKnown(input, forest, node) || Judge(input, node) is not { } verdict)
                continue;
            yield return Sentence(input, forest, node, verdict);
            if (++named == FindingLimit)
                yield break;
        }
    }

    // What an exhausted pool or a deadlock holds up has been said.
    private static bool IsKnown(AnalysisInput input, WaitForest forest, int node)
    {
        // A million may wait for it.
        Finding[] large = [.. input.Found.Where(found => found.Severity > Severity.Info && found.Blocked >= forest.Stacks[node])];
        HashSet<int> waiting = large.Length == 0 ? [] : [.. input.Model.Graph.StacksWaitingFor(node)];
        return large.Any(found => found.Members.Any(waiting.Contains));
    }

    // Often very many wait for one thing of which nothing is known that could be said.
    private static bool HasCandidates(AnalysisInput input)
    {
        AsyncModel model = input.Model;
        if (model.StackCount < LeastStacks)
            return false;
        bool hasWaiters = false, hasVerdict = false;
        int judged = 0;
        for (int node = 0; node < model.Graph.Count; node++)
        {
            hasWaiters |= model.Graph.WaitersOf(node) >= LeastStacks;
            hasVerdict |= model.Graph.NeededByAtMost(node) >= LeastStacks && (judged++ >= EarlyLimit || Judge(input, node) is not null);
            if (hasWaiters && hasVerdict)
                return true;
        }
        return false;
    }

    // Who has to act before those who wait go on; null if nothing is wrong, or nobody is known.
    private static Verdict? Judge(AnalysisInput input, int node)
    {
        AsyncModel model = input.Model;
        GraphNode known = model.Graph[node];
        if (known.Kind == AsyncNodeKind.Resource)
        {
            Edge[] held = [.. model.Graph.EdgesFrom(node).Where(edge => edge.Kind == EdgeKind.HeldBy)];
            if (held.Length == 0 || known.ResourceKind is not (WaitKind.Lock or WaitKind.Semaphore))
                return null;
            WaitEnd[] ends = [.. held.Select(edge => WaitEnd.Of(model, edge.To))];
            if (ends.Any(end => end.Progress is WaitProgress.Runs or WaitProgress.EndsSoon or WaitProgress.Unknown))
                return null;
            bool isSure = ends.All(end => end.Progress == WaitProgress.Stands) && held.All(edge => IsSure(model, known.Address, edge));
            return new(Severity.Warning, isSure ? Confidence.Likely : Confidence.Possible, [.. held.Select(edge => edge.To)], ends);
        }
        // Many may await what is loaded once: that is worth knowing, and no more.
        if (node >= model.Awaits.Count)
            return null;
        var own = WaitEnd.Of(model, node);
        return own.Progress is WaitProgress.Runs or WaitProgress.EndsSoon || input.Names.FrameOf(node) is null ? null : new(Severity.Info, Confidence.Likely, [node], [own]);
    }

    private static bool IsSure(AsyncModel model, ulong resource, Edge held)
        => held.Source == EdgeSource.OwnerRecord || (model.Facts.Holders.ConfidenceOf(resource, held.To) > Confidence.Possible && model.Facts.Holders.AreAll(resource));

    private Finding Sentence(AnalysisInput input, WaitForest forest, int node, Verdict verdict)
    {
        AsyncModel model = input.Model;
        bool isHeld = model.Graph[node].Kind == AsyncNodeKind.Resource;
        string name = input.Names.Of(node), who = isHeld ? $"; {HolderText(input, node, verdict)}" : verdict.Ends[0].Text is { } end ? $"; it waits for {end}" : "";
        int[] waiting = [.. model.Graph.StacksWaitingFor(node).Where(stack => stack != model.Graph.StackOf(node))];
        int[] holders = [.. verdict.Holders.Select(holder => model.Graph.StackOf(model.Graph.ActingFor(holder))).Where(stack => stack >= 0).Distinct()];
        StackAge? age = GroupAges.Of(WaitAges.Of(model), waiting);
        return new Finding(Rule, verdict.Severity, verdict.Confidence, $"{WaitNumbers.Count(forest.Stacks[node], "stack")} of {forest.Total} that wait, wait for {name}{AgeClause.IfLong(age, waiting.Length)}{who}{(isHeld ? ProgressOf(model, node) : "")}", [])
        {
            Blocked = forest.Stacks[node],
            Hanging = forest.StacksBehind(node),
            Members = [.. holders.Concat(waiting).Distinct()],
            Age = age,
            Rests = isHeld ? new() { Queue = node, IfStill = Confidence.Likely, IsLoadIfMoved = true } : null,
            Evidence = [.. Steps(input, node, verdict, waiting)],
            DisprovedBy = "Others wait for it, or other holders have it, when you look again: then it is contended, but moves.",
            Next = isHeld ? "Shorten what is done while it is held, above all what is waited for there; or let more in at once."
                : "Find out why this takes so long: all of them go on when it is done.",
        };
    }

    // Contended is what others have got meanwhile; stuck where nobody has.
    private static string ProgressOf(AsyncModel model, int node)
        => Movement.Of(model)?.ProgressOf(node) is not var (waited, goneOn, ms) ? ""
            : $"; in {WaitNumbers.Duration(ms)}, {(goneOn == 0 ? "none" : goneOn.ToString("N0", CultureInfo.InvariantCulture))} of {waited.ToString("N0", CultureInfo.InvariantCulture)} moved on";

    private static string HolderText(AnalysisInput input, int node, Verdict verdict)
    {
        string more = verdict.Holders.Count > 1 ? $" and {WaitNumbers.Count(verdict.Holders.Count - 1, "other")}" : "";
        string end = verdict.Ends[0].Text is { } text ? $", which waits for {text}" : "";
        return $"held by {input.Names.HolderName(verdict.Holders[0], node)}{more}{end}";
    }

    private static IEnumerable<Evidence> Steps(AnalysisInput input, int node, Verdict verdict, int[] waiting)
    {
        ulong address = input.Model.Graph[node].Address;
        for (int i = 0; i < Math.Min(verdict.Holders.Count, StepLimit); i++)
        {
            int holder = input.Model.Graph.ActingFor(verdict.Holders[i]);
            string[] does = [.. ((string?[])[holder == node ? null : "holds it", verdict.Ends[i].Text is { } text ? "waits for " + text : null]).OfType<string>()];
            if (does.Length > 0)
                yield return input.Names.Step(holder, $"{(holder == node ? input.Names.Of(holder) : input.Names.HolderName(verdict.Holders[i], node))} {string.Join(" and ", does)}");
            if (verdict.Ends[i].Node is >= 0 and var last && last != holder && input.Names.FrameOf(last) is { } frame && frame != input.Names.FrameOf(holder))
                yield return input.Names.Step(last, $"{PlaceFormatter.Of(frame)} is where that ends");
        }
        foreach (Evidence step in input.Names.Places(waiting.Select(stack => input.Model.Stacks.NodeOf(stack, 0)), StepLimit, "waits for it", "wait for it"))
            yield return step with { Relation = EdgeKind.BlockedOn, To = address == 0 ? null : address };
    }

    private sealed record Verdict(Severity Severity, Confidence Confidence, IReadOnlyList<int> Holders, IReadOnlyList<WaitEnd> Ends);
}
