using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Async2.Analysis.Identity;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Collects the labels of stacks. A request is that of the server's frame at the outer end; everything else about it is that of the innermost frame with an
/// execution context. What a stack waits for is that of its wait. Where stacks part, <see cref="SharedLabels"/> join them. Idle loops of the server work for nobody.
/// </summary>
/// <param name="model">With all stacks.</param>
/// <param name="reader">Reads objects.</param>
/// <param name="problems">Told what was left out.</param>
internal sealed class LabelColumn(AsyncModel model, LabelReader reader, ProblemLog problems)
{
    /// <summary>So many stacks are asked.</summary>
    public const int Limit = 100_000;

    // A context goes along inwards: where so many frames have none, those further out have hardly one.
    private const int ContextLimit = 256;

    private const string ServerType = "Kestrel.Core.Internal.Http.HttpProtocol", ServerMethod = "ProcessRequests";

    private readonly List<StackLabel> _labels = [];
    private readonly Dictionary<StackLabel, int> _numbers = [];
    private readonly List<ImmutableArray<int>> _sets = [];
    private readonly Dictionary<string, int> _setNumbers = [];
    private readonly Dictionary<StackLabel[], int> _setOfArray = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<int, ImmutableArray<StackLabel>> _of = [];

    /// <summary>What began before stacks waited, as far as their labels were read of something with a time.</summary>
    public Dictionary<int, StackStart> Starts { get; } = [];

    public LabelFacts Read()
    {
        int asked = 0, left = 0;
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            StackRow row = model.Stacks.Rows[stack];
            if (row.Idle != 0 || row.State == StackState.Completed)
                continue;
            if (asked++ >= Limit)
                left++;
            else if (LabelsOf(stack) is { IsEmpty: false } labels)
                _of[stack] = labels;
        }
        if (left > 0)
            problems.Add(ProblemCodes.LabelsNotAsked, FormattableString.Invariant($"labels of {Limit:N0} stacks were read, and those of {left:N0} more were not: filters and groups by request, trace or label leave them out"));
        new SharedLabels(model, _of).Spread();
        return new() { Labels = _labels, Sets = _sets, SetOf = _of.OrderBy(pair => pair.Key).ToDictionary(pair => pair.Key, pair => SetOf(pair.Value)) };
    }

    private ImmutableArray<StackLabel> LabelsOf(int stack)
    {
        // A task without an async method keeps nothing but the context in which its delegate will run.
        if ((model.Stacks.Rows[stack].Flags & StackFlags.IsTask) != 0)
            return OfTasks(stack);
        ImmutableArray<StackLabel> server = OfServer(stack), context = OfContext(stack);
        List<StackLabel>? own = null;
        AddCall(ref own, stack);
        foreach (StackLabel label in WaitLabels.Of(model.ReasonOf(stack)))
            (own ??= []).Add(label);
        // Most have what their context says, or nothing.
        if (server.IsEmpty && own is null)
            return context;
        var labels = new List<StackLabel>();
        Add(labels, server);
        Add(labels, context);
        Add(labels, own is null ? [] : [.. own]);
        return LabelNames.Sorted(labels);
    }

    private ImmutableArray<StackLabel> OfTasks(int stack)
    {
        for (int i = 0; i < model.Stacks.NodeCount(stack); i++)
        {
            if (reader.OfTask(model.Nodes.Addresses[model.Stacks.NodeOf(stack, i)]) is { } context)
                return context.Labels;
        }
        return [];
    }

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

    // What is sent, and when HttpClient began to.
    private void AddCall(ref List<StackLabel>? labels, int stack)
    {
        StackLabel? call = null;
        for (int i = 0; i < model.Stacks.NodeCount(stack); i++)
        {
            int node = model.Stacks.NodeOf(stack, i);
            if (!IsMachine(node))
                continue;
            (StackLabel? found, long? timer) = reader.CallOf(model.Nodes.Addresses[node], TypeOf(node));
            call ??= found;
            if (timer is { } tick && !(Starts.TryGetValue(stack, out StackStart known) && known.Tick >= tick))
                Starts[stack] = new(tick, AgeClock.HttpTimer);
        }
        if (call is not null)
            (labels ??= []).Add(call);
    }

    private bool IsMachine(int node) => node < model.Nodes.Operations && model.Nodes.Kinds[node] is AsyncNodeKind.StateMachine or AsyncNodeKind.Pooled;

    private ulong TypeOf(int node) => model.Types.Types[model.Types.OfNode(node)].MethodTable;

    private ImmutableArray<StackLabel> OfContext(int stack)
    {
        if (model.Nodes.ThreadOf(model.Stacks.NodeOf(stack, 0)) is { } thread && reader.OfThread(thread) is { } running)
            return running.Labels;
        var frames = new StackObjects(model, stack);
        ulong last = 0;
        // What is not an object has no context, and asking the runtime for its type takes long. Where no context has values, a million frames are not asked for theirs.
        for (int asked = reader.HasLocals && HasObjects(stack) ? 0 : ContextLimit; asked < ContextLimit && frames.MoveNext();)
        {
            if (frames.Address == 0 || frames.Address == last)
                continue;
            last = frames.Address;
            asked++;
            if (reader.OfFrame(last) is not { } context)
                continue;
            // A frame further out may have been suspended later: what it waits for may have begun before.
            if (frames.Current < model.Stacks.ShapeOf(stack).Parts[0].End && context.Start is { } start && reader.TickAt(start) is > 0 and var tick)
                Starts[stack] = new(tick, AgeClock.Activity);
            return context.Labels;
        }
        // Code that has not waited yet has no object.
        return model.ThreadOf(stack) is { } runs && reader.OfThread(runs) is { } own ? own.Labels : [];
    }

    private bool HasObjects(int stack)
    {
        for (int i = 0; i < model.Stacks.NodeCount(stack); i++)
        {
            if (model.Stacks.NodeOf(stack, i) is var node && node < model.Nodes.Operations && model.Nodes.Kinds[node] is AsyncNodeKind.RuntimeAsync or AsyncNodeKind.StateMachine or AsyncNodeKind.Pooled or AsyncNodeKind.Task)
                return true;
        }
        return false;
    }

    private int SetOf(ImmutableArray<StackLabel> labels)
    {
        // Stacks of one context have the same array.
        StackLabel[] same = ImmutableCollectionsMarshal.AsArray(labels)!;
        if (_setOfArray.TryGetValue(same, out int set))
            return set;
        ImmutableArray<int> numbers = [.. labels.Select(NumberOf)];
        string key = string.Join(',', numbers);
        if (!_setNumbers.TryGetValue(key, out set))
        {
            _setNumbers[key] = set = _sets.Count;
            _sets.Add(numbers);
        }
        return _setOfArray[same] = set;
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
