using System.Globalization;
using System.Text;
using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering.Exports;

/// <summary>The wait-for graph as a flowchart of Mermaid, which GitHub and GitLab draw in issues: put it between <c>```mermaid</c> and <c>```</c>.</summary>
public sealed class MermaidRenderer : IRenderer
{
    /// <inheritdoc/>
    public string Format => "mermaid";

    /// <inheritdoc/>
    public void Render(StackView snapshot, RenderOptions options, Stream output)
    {
        WaitGraph graph = WaitGraph.Of(snapshot, options);
        using var writer = new StreamWriter(output, leaveOpen: true) { NewLine = "\n" };
        writer.WriteLine("flowchart LR");
        // Ids of our own: a word such as "end" would be part of the language.
        var names = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (WaitGraphNode node in graph.Nodes)
        {
            names[node.Id] = string.Create(CultureInfo.InvariantCulture, $"n{names.Count}");
            (string open, string close) = Brackets(node.Shape);
            writer.WriteLine($"  {names[node.Id]}{open}{Quoted(node.Lines)}{close}");
        }
        foreach (WaitGraphEdge edge in graph.Edges)
            writer.WriteLine($"  {names[edge.From]} {(edge.IsInferred ? "-.->" : "-->")}{(edge.Text.Length == 0 ? "" : $"|{Quoted([edge.Text])}|")} {names[edge.To]}");
        string[] accused = [.. graph.Nodes.Where(node => node.Shape is WaitGraphShape.AccusedStack or WaitGraphShape.Finding).Select(node => names[node.Id])];
        if (accused.Length == 0)
            return;
        writer.WriteLine("  classDef accused stroke:#d00,stroke-width:3px");
        writer.WriteLine($"  class {string.Join(',', accused)} accused");
    }

    private static (string Open, string Close) Brackets(WaitGraphShape shape) => shape switch
    {
        WaitGraphShape.Resource => ("([", "])"),
        WaitGraphShape.Thread => ("{{", "}}"),
        WaitGraphShape.Finding => (">", "]"),
        _ => ("[", "]"),
    };

    // Whatever could be a part of the language, of Markdown or of HTML becomes its number.
    private static string Quoted(IReadOnlyList<string> lines)
    {
        var text = new StringBuilder("\"");
        for (int i = 0; i < lines.Count; i++)
        {
            text.Append(i == 0 ? "" : "<br/>");
            foreach (Rune rune in lines[i].EnumerateRunes())
            {
                if (Rune.IsLetterOrDigit(rune) || rune.Value is ' ' or '.' or ',' or ':' or '-' or '(' or ')' or '/')
                    text.Append(rune.ToString());
                else
                    text.Append(CultureInfo.InvariantCulture, $"#{rune.Value};");
            }
        }
        return text.Append('"').ToString();
    }
}
