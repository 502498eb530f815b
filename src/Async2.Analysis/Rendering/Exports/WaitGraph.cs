using System.Globalization;
using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Exports;

/// <summary>What is drawn of an answer's graph: stacks, what they wait for, who holds it, and what findings say about them. Text is escaped.</summary>
internal sealed class WaitGraph
{
    // More boxes than that nobody can read, and readers of the formats give up.
    private const int MostStacks = 100;
    private const int LongestText = 120;
    private const int LongestLine = 60;

    private readonly Dictionary<string, WaitGraphNode> _nodes = new(StringComparer.Ordinal);

    /// <summary>Boxes, in the order of the answer: findings, stacks, then what they lead to.</summary>
    public List<WaitGraphNode> Nodes { get; } = [];

    /// <summary>Arrows between them, each once.</summary>
    public List<WaitGraphEdge> Edges { get; } = [];

    /// <summary>What is to be drawn. What was left out is a box of its own.</summary>
    public static WaitGraph Of(StackView view, RenderOptions options)
    {
        var graph = new WaitGraph();
        List<LogicalStack> all = [.. ExportedStacks.Of(view, options with { Limit = null })];
        List<LogicalStack> shown = [.. all.Take(options.Limit ?? MostStacks)];
        HashSet<string> ids = [.. shown.Select(stack => stack.Id)];
        foreach (Finding finding in view.Findings.Where(finding => finding.Stacks.Any(ids.Contains)))
            graph.Add(new WaitGraphNode(finding.Id, WaitGraphShape.Finding, [$"{finding.Severity.ToString().ToLower(CultureInfo.InvariantCulture)}: {finding.Rule}", .. Wrapped(SafeText.Escape(finding.Text))]));
        foreach (LogicalStack stack in shown)
            graph.Add(Box(stack, view.Findings.Any(finding => finding.Severity > Severity.Info && finding.Stacks.Contains(stack.Id))));
        foreach (Finding finding in view.Findings)
        {
            foreach (string stack in finding.Stacks.Distinct().Where(ids.Contains))
                graph.Edges.Add(new WaitGraphEdge(finding.Id, stack, "", IsInferred: true));
        }
        graph.AddEdges(view, shown);
        if (all.Count > shown.Count)
            graph.Add(new WaitGraphNode("more", WaitGraphShape.Note, [$"{DisplayText.Count(all.Count - shown.Count, "more group")}: --limit {all.Count} draws all"]));
        if (!view.Complete)
            graph.Add(new WaitGraphNode("partial", WaitGraphShape.Note, ["The answer is partial: stacks are missing."]));
        return graph;
    }

    private void AddEdges(StackView view, List<LogicalStack> shown)
    {
        if (view.Graph is not { } graph)
            return;
        var met = new List<ViewNode>();
        // Taken first: the nodes that edges lead to are known when they have been read.
        List<ViewEdge> edges = [.. graph.EdgesOf(shown.Select(stack => stack.Id), met)];
        foreach (ViewNode node in met)
            Add(Box(node));
        foreach (ViewEdge edge in edges)
        {
            if (edge.To is { } to && _nodes.ContainsKey(to) && _nodes.ContainsKey(edge.From))
                Edges.Add(new WaitGraphEdge(edge.From, to, Words(edge), edge.Source is EdgeSource.Inferred or >= EdgeSource.AcquiredByCode));
        }
    }

    private void Add(WaitGraphNode node)
    {
        if (_nodes.TryAdd(node.Id, node))
            Nodes.Add(node);
    }

    private static WaitGraphNode Box(LogicalStack stack, bool isAccused)
    {
        LogicalFrame? frame = stack.Frames.FirstOrDefault(frame => !frame.IsFramework) ?? (stack.Frames.Count > 0 ? stack.Frames[0] : null);
        List<string> lines = [string.Create(CultureInfo.InvariantCulture, $"{stack.Id}, {stack.Count}x {ExportFrame.StateOf(stack)}")];
        if (frame is not null)
            lines.Add(Short($"{MethodText.Split(SafeText.Escape(frame.Method)).TypeAndName} {SafeText.Escape(LocationText.Of(frame))}".TrimEnd()));
        if (ExportFrame.WaitName(stack) is { } wait)
            lines.Add(Short(wait));
        return new WaitGraphNode(stack.Id, isAccused ? WaitGraphShape.AccusedStack : WaitGraphShape.Stack, lines);
    }

    private static WaitGraphNode Box(ViewNode node)
    {
        string name = node.Thread is { } thread ? string.Create(CultureInfo.InvariantCulture, $"thread {thread}") : SafeText.Escape(node.Name ?? node.Type) ?? JsonNamingPolicy.KebabCaseLower.ConvertName(node.Kind.ToString());
        List<string> lines = [Short(name)];
        if (node.Text is { } text)
            lines.Add(Short(SafeText.Escape(text)));
        if (node.Kind != AsyncNodeKind.Thread && node.Address is not null)
            lines.Add(node.Id);
        return new WaitGraphNode(node.Id, node.Kind == AsyncNodeKind.Thread ? WaitGraphShape.Thread : WaitGraphShape.Resource, lines);
    }

    private static string Words(ViewEdge edge)
    {
        string words = JsonNamingPolicy.KebabCaseLower.ConvertName(edge.Kind.ToString()).Replace('-', ' ');
        return edge.Count > 1 ? string.Create(CultureInfo.InvariantCulture, $"{words}, {edge.Count}x") : words;
    }

    // At spaces, as far as there are any.
    private static IEnumerable<string> Wrapped(string text)
    {
        while (text.Length > LongestLine)
        {
            int space = text.LastIndexOf(' ', LongestLine);
            int end = space > 0 ? space : LongestLine;
            yield return text[..end];
            text = text[end..].TrimStart();
        }
        yield return text;
    }

    private static string Short(string text) => text.Length <= LongestText ? text : text[..LongestText] + "...";
}

/// <summary>What a box stands for.</summary>
internal enum WaitGraphShape
{
    /// <summary>A group of equal stacks.</summary>
    Stack,

    /// <summary>One that a warning or error is about.</summary>
    AccusedStack,

    /// <summary>A lock, semaphore, channel, task, context.</summary>
    Resource,

    /// <summary>A thread.</summary>
    Thread,

    /// <summary>A conclusion.</summary>
    Finding,

    /// <summary>Something about the drawing.</summary>
    Note,
}

/// <summary>A box.</summary>
/// <param name="Id">Unique in its graph: letters and digits.</param>
/// <param name="Shape">What it stands for.</param>
/// <param name="Lines">What is in it.</param>
internal sealed record WaitGraphNode(string Id, WaitGraphShape Shape, IReadOnlyList<string> Lines);

/// <summary>An arrow.</summary>
/// <param name="From">Who waits, or is held.</param>
/// <param name="To">For what, or by whom.</param>
/// <param name="Text">What the two have to do with each other; empty for nothing to say.</param>
/// <param name="IsInferred">Drawn with a broken line.</param>
internal sealed record WaitGraphEdge(string From, string To, string Text, bool IsInferred);
