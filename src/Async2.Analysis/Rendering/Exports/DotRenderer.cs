using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering.Exports;

/// <summary>The wait-for graph for Graphviz: <c>dot -Tsvg</c>.</summary>
public sealed class DotRenderer : IRenderer
{
    /// <inheritdoc/>
    public string Format => "dot";

    /// <inheritdoc/>
    public void Render(StackView snapshot, RenderOptions options, Stream output)
    {
        WaitGraph graph = WaitGraph.Of(snapshot, options);
        using var writer = new StreamWriter(output, leaveOpen: true) { NewLine = "\n" };
        writer.WriteLine("digraph async {");
        writer.WriteLine("  rankdir=LR;");
        writer.WriteLine("  node [shape=box, fontname=\"sans-serif\", fontsize=10];");
        writer.WriteLine("  edge [fontname=\"sans-serif\", fontsize=9];");
        foreach (WaitGraphNode node in graph.Nodes)
            writer.WriteLine($"  {Quoted([node.Id])} [label={Quoted(node.Lines)}{StyleOf(node.Shape)}];");
        foreach (WaitGraphEdge edge in graph.Edges)
            writer.WriteLine($"  {Quoted([edge.From])} -> {Quoted([edge.To])}{(edge.Text.Length == 0 ? " [" : $" [label={Quoted([edge.Text])}, ")}style={(edge.IsInferred ? "dashed" : "solid")}];");
        writer.WriteLine("}");
    }

    private static string StyleOf(WaitGraphShape shape) => shape switch
    {
        WaitGraphShape.AccusedStack => ", color=red, penwidth=2",
        WaitGraphShape.Resource => ", shape=ellipse, style=filled, fillcolor=lightyellow",
        WaitGraphShape.Thread => ", shape=hexagon",
        WaitGraphShape.Finding => ", shape=note, color=red, fontcolor=red",
        WaitGraphShape.Note => ", shape=plaintext",
        _ => "",
    };

    // "\N" and the like mean something in a label, so each backslash is doubled.
    private static string Quoted(IReadOnlyList<string> lines)
        => $"\"{string.Join("\\n", lines.Select(line => line.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)))}\"";
}
