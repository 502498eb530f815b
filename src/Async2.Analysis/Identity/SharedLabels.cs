using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Identity;

/// <summary>
/// Labels across the places where stacks part (WhenAll, several waiters): a stack works for the request of those who wait for it, if they all have the
/// same; and it waits for the service that those wait for whom it waits for, if all that wait for one have the same.
/// </summary>
/// <param name="model">With all stacks.</param>
/// <param name="labels">Labels by stack, which get more.</param>
internal sealed class SharedLabels(AsyncModel model, Dictionary<int, ImmutableArray<StackLabel>> labels)
{
    private const int PassLimit = 16;
    private static readonly string[] OfRequest = [LabelNames.Request, LabelNames.Route, LabelNames.RequestId, LabelNames.Trace];

    private readonly Dictionary<int, int[]> _callers = [];

    public void Spread()
    {
        if (labels.Count == 0)
            return;
        FindCallers();
        if (labels.Values.Any(IsOfRequest))
            Inwards();
        Outwards();
    }

    // Few stacks have others that wait for them.
    private void FindCallers()
    {
        int[] parted = [.. Enumerable.Range(0, model.StackCount).Where(stack => Outermost(stack) is var node && node < model.Awaits.Size && model.Awaits.AwaitedBy(node).Count > 0)];
        if (parted.Length == 0)
            return;
        int[] stackOf = new int[model.Nodes.Count];
        Array.Fill(stackOf, -1);
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            for (int i = 0; i < model.Stacks.NodeCount(stack); i++)
                stackOf[model.Stacks.NodeOf(stack, i)] = stack;
        }
        foreach (int stack in parted)
            _callers[stack] = [.. CallersOf(Outermost(stack)).Select(node => stackOf[node]).Distinct()];
    }

    private int Outermost(int stack) => model.Stacks.NodeOf(stack, model.Stacks.NodeCount(stack) - 1);

    // Through combinators, which may wait for each other in a damaged heap.
    private IEnumerable<int> CallersOf(int outermost)
    {
        var seen = new HashSet<int> { outermost };
        var ahead = new Queue<int>(seen);
        while (ahead.TryDequeue(out int node))
        {
            foreach (int waiter in model.Awaits.AwaitedBy(node))
            {
                if (!seen.Add(waiter))
                    continue;
                if (model.Awaits.IsCombinator(waiter))
                    ahead.Enqueue(waiter);
                else
                    yield return waiter;
            }
        }
    }

    // Each pass goes one stack further in.
    private void Inwards()
    {
        bool hasChanged = true;
        for (int pass = 0; pass < PassLimit && hasChanged; pass++)
        {
            hasChanged = false;
            foreach ((int stack, int[] callers) in _callers)
            {
                if (Of(stack) is var own && IsOfRequest(own) || model.Stacks.Rows[stack].Idle != 0 || RequestOf(stack, callers) is not { } request)
                    continue;
                Add(stack, own, request.Where(label => !own.Any(other => other.Name == label.Name)).Select(label => label with { Source = LabelSource.Caller }));
                hasChanged = true;
            }
        }
    }

    // The request of all who wait for a stack; null if they have none in common.
    private StackLabel[]? RequestOf(int stack, int[] callers)
    {
        StackLabel[]? found = null;
        foreach (int caller in callers)
        {
            if (caller < 0 || caller == stack || Of(caller) is var of && !IsOfRequest(of))
                return null;
            StackLabel[] request = [.. of.Where(label => OfRequest.Contains(label.Name))];
            if (found is not null && !found.Select(label => label.Value).SequenceEqual(request.Select(label => label.Value)))
                return null;
            found = request;
        }
        return found;
    }

    // What is waited for, by stack and name; null where those who wait for it have different ones. A stack is asked again only if it has learned
    // something, and of a name it learns twice at most.
    private void Outwards()
    {
        var known = new Dictionary<(int Stack, string Name), StackLabel?>();
        var ahead = new Queue<int>(_callers.Keys.Where(stack => Of(stack).Any(label => label.Source == LabelSource.Wait)).Order());
        while (ahead.TryDequeue(out int stack))
        {
            (string Name, StackLabel? Label)[] said = [.. Said(stack, known)];
            foreach (int caller in _callers.GetValueOrDefault(stack, []).Where(caller => caller >= 0 && caller != stack))
            {
                bool hasLearned = false;
                foreach ((string name, StackLabel? label) in said)
                    hasLearned |= Learn(known, (caller, name), label);
                if (hasLearned)
                    ahead.Enqueue(caller);
            }
        }
        foreach (IGrouping<int, StackLabel> found in known.Where(pair => pair.Value is not null).GroupBy(pair => pair.Key.Stack, pair => pair.Value!))
            Add(found.Key, Of(found.Key), found.Where(label => !Of(found.Key).Any(own => own.Name == label.Name)).Select(label => label with { Source = LabelSource.Awaited }));
    }

    // Its own first.
    private IEnumerable<(string Name, StackLabel? Label)> Said(int stack, Dictionary<(int Stack, string Name), StackLabel?> known)
    {
        foreach (string name in LabelNames.OfWaits)
        {
            if (Of(stack).FirstOrDefault(label => label.Name == name && label.Source == LabelSource.Wait) is { } own)
                yield return (name, own);
            else if (known.TryGetValue((stack, name), out StackLabel? learned))
                yield return (name, learned);
        }
    }

    private static bool Learn(Dictionary<(int Stack, string Name), StackLabel?> known, (int Stack, string Name) key, StackLabel? label)
    {
        if (!known.TryGetValue(key, out StackLabel? before))
        {
            known[key] = label;
            return true;
        }
        if (before is null || before.Value == label?.Value)
            return false;
        known[key] = null;
        return true;
    }

    private ImmutableArray<StackLabel> Of(int stack) => labels.GetValueOrDefault(stack, []);

    private void Add(int stack, ImmutableArray<StackLabel> own, IEnumerable<StackLabel> more) => labels[stack] = LabelNames.Sorted([.. own, .. more]);

    private static bool IsOfRequest(ImmutableArray<StackLabel> labels) => labels.Any(label => label.Name == LabelNames.Request);
}
