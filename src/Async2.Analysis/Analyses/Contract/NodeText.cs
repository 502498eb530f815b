using System.Globalization;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses.Contract;

/// <summary>Names of nodes and stacks for the sentences of findings.</summary>
internal sealed class NodeText(AsyncModel model)
{
    // Further out is another story; and there may be a hundred thousand frames, about each of which is asked.
    private const int FrameLimit = 64;

    /// <summary>A node as a sentence names it: <c>Bank.ChargeAsync (Bank.cs:10)</c>, <c>`Bank._gate`</c>, <c>thread 5</c>.</summary>
    public string Of(int node)
    {
        GraphNode known = model.Graph[node];
        return known.Kind switch
        {
            AsyncNodeKind.Resource => Resource(known),
            AsyncNodeKind.Context => known.Name ?? "the thread pool",
            AsyncNodeKind.Thread => Thread(known.Thread),
            AsyncNodeKind.Combinator => "a combinator",
            _ => FrameOf(node) is { } frame ? PlaceFormatter.Of(frame)
                : known.Thread is { } thread ? Thread(thread)
                : Hex("the task ", known.Address),
        };
    }

    /// <summary>The same without its place: <c>Bank.ChargeAsync</c>.</summary>
    public string Short(int node) => FrameOf(node) is { } frame ? PlaceFormatter.Method(frame) : Of(node);

    /// <summary>The innermost frame of the user at a node of a stack, or outside of it, with a line if there is one; null for a node without frames.</summary>
    public LogicalFrame? FrameOf(int node)
    {
        // What a thread executes is on the thread: on the heap, such an operation has no frames of its own.
        if (node < model.Awaits.Count && model.Awaits.RunsOn(node))
            node = model.Awaits.Awaits(node);
        if (model.Graph.StackOf(node) is not (>= 0 and var stack))
            return null;
        return Frame(model.Stacks.ShapeOf(stack).Places, model.Stacks.FramesOf(stack, node).Start);
    }

    /// <summary>The same of the node's own part alone: where no frame of that is the user's, the method of a framework that was called, and not its caller.</summary>
    public LogicalFrame? Called(int node)
    {
        if (FramesOf(node).Count > 0 || (node < model.Awaits.Count && model.Awaits.RunsOn(node)) || model.Graph.StackOf(node) is not (>= 0 and var stack))
            return FrameOf(node);
        (int start, int end) = model.Stacks.FramesOf(stack, node);
        return start < end ? model.Places[model.Stacks.ShapeOf(stack).Places[end - 1]].Frame : FrameOf(node);
    }

    /// <summary>Frames of the user at a node, innermost first; none for a node without such, and not those further out than anybody reads.</summary>
    public IReadOnlyList<LogicalFrame> FramesOf(int node)
    {
        if (model.Graph.StackOf(node) is not (>= 0 and var stack))
            return [];
        (int start, int end) = model.Stacks.FramesOf(stack, node);
        return [.. model.Stacks.ShapeOf(stack).Places[start..Math.Min(end, start + FrameLimit)].Select(place => model.Places[place]).Where(place => place.Origin == FrameOrigin.User).Select(place => place.Frame)];
    }

    /// <summary>The method that took a lock, with its place: mostly not the innermost frame of who holds it, which waits for something else.</summary>
    /// <param name="node">The node that holds it.</param>
    /// <param name="resource">The lock's node.</param>
    /// <returns>Null where no code tells.</returns>
    public string? Holder(int node, int resource) => TakenIn(node, resource) is { } frame ? PlaceFormatter.Of(frame) : null;

    /// <summary>The same, or what executes where no code tells.</summary>
    public string HolderName(int node, int resource) => Holder(node, resource) ?? Of(model.Graph.ActingFor(node));

    private LogicalFrame? TakenIn(int node, int resource)
        => model.Facts.Holders.HoldersOf(model.Graph[resource].Address).FirstOrDefault(row => row.Node == node) is { Lock: not 0 } row ? model.Places[row.Place].Frame : null;

    /// <summary>A step of a finding that is about a node.</summary>
    /// <param name="node">The node.</param>
    /// <param name="text">What is said of it.</param>
    /// <param name="lockHeld">The node of the lock that it is said to hold: the place that took it counts.</param>
    public Evidence Step(int node, string text, int? lockHeld = null)
    {
        LogicalFrame? frame = (lockHeld is { } held ? TakenIn(node, held) : null) ?? FrameOf(node);
        return new Evidence(text) { Method = frame?.Method, File = frame?.File, Line = frame?.Line, Member = model.Graph.StackOf(node) };
    }

    /// <summary>A step for each place at which nodes stand, most first: <c>3 x Bank.ChargeAsync (Bank.cs:10) wait for it</c>.</summary>
    /// <param name="nodes">Who stands there.</param>
    /// <param name="limit">So many places.</param>
    /// <param name="one">What one of them does: <c>waits for it</c>; null for nothing.</param>
    /// <param name="many">The same of several.</param>
    /// <param name="lockHeld">The node of the lock that they hold: they are named by the place that took it; null for where they stand.</param>
    public IEnumerable<Evidence> Places(IEnumerable<int> nodes, int limit, string? one = null, string? many = null, int? lockHeld = null)
    {
        foreach (IGrouping<string, int> place in nodes.GroupBy(node => (lockHeld is { } held ? Holder(node, held) : null) ?? Of(node)).OrderByDescending(place => place.Count()).ThenBy(place => place.Key, StringComparer.Ordinal).Take(limit))
        {
            string who = WaitNumbers.Times(place.Count(), place.Key), does = (place.Count() == 1 ? one : many) is { } verb ? " " + verb : "";
            yield return Step(place.First(), who + does, lockHeld);
        }
    }

    // A library without symbols is none of the user's, who can open nothing of it: the first frame that has a line is, if it is another module's.
    private LogicalFrame? Frame(int[] places, int start)
    {
        LogicalFrame? first = null;
        for (int i = start; i < places.Length && i - start < FrameLimit; i++)
        {
            if (model.Places[places[i]] is not { Origin: FrameOrigin.User, Frame: var frame })
                continue;
            first ??= frame;
            if (frame.Line is not null && (frame == first || frame.Module != first.Module))
                return frame;
        }
        return first ?? (start < places.Length ? model.Places[places[start]].Frame : null);
    }

    private static string Resource(in GraphNode node) => node.Name is { } name ? $"`{name}`"
        : node.Type is { } type ? Hex($"the {type} ", node.Address)
        : Hex(node.ResourceKind switch { WaitKind.Lock => "the lock ", WaitKind.Semaphore => "the semaphore ", WaitKind.Channel => "the channel ", _ => "the object " }, node.Address);

    private static string Thread(int? id) => string.Create(CultureInfo.InvariantCulture, $"thread {id}");

    private static string Hex(string before, ulong address) => string.Create(CultureInfo.InvariantCulture, $"{before}0x{address:x}");
}
