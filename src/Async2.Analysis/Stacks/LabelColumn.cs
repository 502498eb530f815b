using System.Collections.Immutable;
using Async2.Analysis.Identity;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Collects the labels of stacks. A request is that of the server's frame at the outer end; where stacks part (WhenAll, several waiters), that of those who
/// wait, if they all have the same. Everything else is that of the innermost frame with an execution context. Idle loops of the server work for nobody.
/// </summary>
/// <param name="model">With all stacks.</param>
/// <param name="reader">Reads objects.</param>
/// <param name="problems">Told what was left out.</param>
internal sealed class LabelColumn(AsyncModel model, LabelReader reader, ProblemLog problems)
{
    /// <summary>So many stacks are asked.</summary>
    public const int Limit = 100_000;

    private const int PassLimit = 16;
    private const string ServerType = "Kestrel.Core.Internal.Http.HttpProtocol", ServerMethod = "ProcessRequests";

    private readonly List<StackLabel> _labels = [];
    private readonly Dictionary<StackLabel, int> _numbers = [];
    private readonly List<ImmutableArray<int>> _sets = [];
    private readonly Dictionary<string, int> _setNumbers = [];
    private readonly Dictionary<int, ImmutableArray<StackLabel>> _of = [];

    // A context has one array for all of its stacks, and they get one in return.
    private readonly Dictionary<ImmutableArray<StackLabel>, ImmutableArray<StackLabel>> _ordered = [];
    private readonly Dictionary<ImmutableArray<StackLabel>, int> _setOf = [];

    public LabelFacts Read()
    {
        int asked = 0, left = 0;
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            StackRow row = model.Stacks.Rows[stack];
            if (row.Idle != 0 || (row.Flags & (StackFlags.IsPlainThread | StackFlags.IsTask)) != 0)
                continue;
            if (asked++ >= Limit)
                left++;
            else if (LabelsOf(stack) is { IsEmpty: false } labels)
                _of[stack] = labels;
        }
        if (left > 0)
            problems.Add(ProblemCodes.LabelsNotAsked, FormattableString.Invariant($"labels of {Limit:N0} stacks were read, and those of {left:N0} more were not: filters and groups by request, trace or label leave them out"));
        FromCallers();
        return new() { Labels = _labels, Sets = _sets, SetOf = _of.OrderBy(pair => pair.Key).ToDictionary(pair => pair.Key, pair => SetOf(pair.Value)) };
    }

    private ImmutableArray<StackLabel> LabelsOf(int stack)
    {
        ImmutableArray<StackLabel> server = OfServer(stack), context = OfContext(stack);
        StackLabel? call = CallOf(stack);
        if (server.IsEmpty && call is null)
            return OrderedOnce(context);
        var labels = new List<StackLabel>();
        Add(labels, server);
        Add(labels, context);
        if (call is not null)
            labels.Add(call);
        return Ordered(labels);
    }

    private ImmutableArray<StackLabel> OrderedOnce(ImmutableArray<StackLabel> context)
    {
        if (!_ordered.TryGetValue(context, out ImmutableArray<StackLabel> labels))
        {
            var distinct = new List<StackLabel>();
            Add(distinct, context);
            _ordered[context] = labels = Ordered(distinct);
        }
        return labels;
    }

    private static ImmutableArray<StackLabel> Ordered(IEnumerable<StackLabel> labels)
        => [.. labels.OrderBy(label => LabelNames.RankOf(label.Name)).ThenBy(label => label.Name, StringComparer.Ordinal)];

    // Of one name the first: the server's object is nearer to the request than a context that may be older; but the trace is that of the activity.
    private static void Add(List<StackLabel> labels, ImmutableArray<StackLabel> more)
    {
        foreach (StackLabel label in more)
        {
            int known = labels.FindIndex(other => other.Name == label.Name);
            if (known < 0)
                labels.Add(label);
            else if (label.Name == LabelNames.Trace)
                labels[known] = label;
        }
    }

    private ImmutableArray<StackLabel> OfServer(int stack)
    {
        for (int i = model.Stacks.NodeCount(stack) - 1; i >= 0; i--)
        {
            int node = model.Stacks.NodeOf(stack, i);
            if (IsMachine(node) && reader.OfServer(model.Nodes.Addresses[node], TypeOf(node)) is { IsEmpty: false } labels)
                return labels;
        }
        return ServerThreadOf(stack) is { } thread ? reader.OfServerOnThread(thread) : [];
    }

    // The thread that has the server's method on its stack, as a part of this one; null for none.
    private int? ServerThreadOf(int stack)
    {
        StackShape shape = model.Stacks.ShapeOf(stack);
        for (int i = shape.Places.Length - 1; i >= 0; i--)
        {
            if (shape.Forms[i] == FrameForm.OnThread && model.Places[shape.Places[i]].Frame is { Name: ServerMethod, Type: { } type } && type.EndsWith(ServerType, StringComparison.Ordinal))
                return model.ThreadOf(stack);
        }
        return null;
    }

    private StackLabel? CallOf(int stack)
    {
        for (int i = 0; i < model.Stacks.NodeCount(stack); i++)
        {
            int node = model.Stacks.NodeOf(stack, i);
            if (IsMachine(node) && reader.CallOf(model.Nodes.Addresses[node]) is { } call)
                return call;
        }
        return null;
    }

    private bool IsMachine(int node) => node < model.Nodes.Operations && model.Nodes.Kinds[node] is AsyncNodeKind.StateMachine or AsyncNodeKind.Pooled;

    private ulong TypeOf(int node) => model.Types.Types[model.Types.OfNode(node)].MethodTable;

    private ImmutableArray<StackLabel> OfContext(int stack)
    {
        if (model.Nodes.ThreadOf(model.Stacks.NodeOf(stack, 0)) is { } thread && reader.OfThread(thread) is { } running)
            return running;
        var frames = new StackObjects(model, stack);
        ulong last = 0;
        while (frames.MoveNext())
        {
            if (frames.Address == 0 || frames.Address == last)
                continue;
            last = frames.Address;
            if (reader.OfFrame(last) is { } labels)
                return labels;
        }
        // Code that has not waited yet has no object.
        return model.ThreadOf(stack) is { } runs && reader.OfThread(runs) is { } own ? own : [];
    }

    // Each pass goes one stack further in.
    private void FromCallers()
    {
        if (!_of.Values.Any(IsOfRequest))
            return;
        Dictionary<int, int> stackOf = StacksByNode();
        bool hasChanged = true;
        for (int pass = 0; pass < PassLimit && hasChanged; pass++)
        {
            hasChanged = false;
            for (int stack = 0; stack < model.StackCount; stack++)
            {
                if ((_of.TryGetValue(stack, out ImmutableArray<StackLabel> own) && IsOfRequest(own)) || model.Stacks.Rows[stack].Idle != 0 || FromCallers(stack, stackOf) is not { } labels)
                    continue;
                var all = new List<StackLabel>(own.IsDefault ? [] : own);
                all.AddRange(labels.Where(label => !all.Exists(other => other.Name == label.Name)).Select(label => label with { Source = LabelSource.Caller }));
                _of[stack] = Ordered(all);
                hasChanged = true;
            }
        }
    }

    private Dictionary<int, int> StacksByNode()
    {
        var stacks = new Dictionary<int, int>();
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            for (int i = 0; i < model.Stacks.NodeCount(stack); i++)
                stacks[model.Stacks.NodeOf(stack, i)] = stack;
        }
        return stacks;
    }

    // The request of all who wait for a stack; null if they have none in common.
    private IEnumerable<StackLabel>? FromCallers(int stack, Dictionary<int, int> stackOf)
    {
        IEnumerable<StackLabel>? found = null;
        foreach (int caller in CallersOf(stack))
        {
            if (!stackOf.TryGetValue(caller, out int other) || other == stack || !_of.TryGetValue(other, out ImmutableArray<StackLabel> labels) || !IsOfRequest(labels))
                return null;
            StackLabel[] request = [.. labels.Where(label => label.Name is LabelNames.Request or LabelNames.Route or LabelNames.RequestId or LabelNames.Trace)];
            if (found is not null && !found.Select(label => label.Value).SequenceEqual(request.Select(label => label.Value)))
                return null;
            found = request;
        }
        return found;
    }

    // Through combinators, which may wait for each other in a damaged heap.
    private IEnumerable<int> CallersOf(int stack)
    {
        int outermost = model.Stacks.NodeOf(stack, model.Stacks.NodeCount(stack) - 1);
        if (outermost >= model.Awaits.Size)
            yield break;
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

    private static bool IsOfRequest(ImmutableArray<StackLabel> labels) => labels.Any(label => label.Name == LabelNames.Request);

    private int SetOf(ImmutableArray<StackLabel> labels)
    {
        if (_setOf.TryGetValue(labels, out int known))
            return known;
        ImmutableArray<int> numbers = [.. labels.Select(NumberOf)];
        string key = string.Join(',', numbers);
        if (!_setNumbers.TryGetValue(key, out int set))
        {
            _setNumbers[key] = set = _sets.Count;
            _sets.Add(numbers);
        }
        return _setOf[labels] = set;
    }

    private int NumberOf(StackLabel label)
    {
        if (!_numbers.TryGetValue(label, out int number))
        {
            _numbers[label] = number = _labels.Count;
            _labels.Add(label);
        }
        return number;
    }
}
