using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Rendering.Tree;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>The answer as one page that opens from disk and needs no network: the viewer of the VS Code extension and the tree of all stacks.</summary>
public sealed class HtmlRenderer : IRenderer
{
    private const int PlainLimit = 100;

    /// <inheritdoc/>
    public string Format => "html";

    /// <inheritdoc/>
    public void Render(StackView snapshot, RenderOptions options, Stream output)
    {
        var pages = new TreePages(snapshot, options.Limit, size: int.MaxValue);
        var page = new HtmlPage("viewer", Title(snapshot), SafeText.Escape(SummaryText.Sentence(snapshot)), stream => pages.Write(0, stream)) { DataId = "async2-tree", IsBig = pages.IsBig, PlainAnswer = Plain(snapshot, options) };
        page.WriteTo(output);
    }

    // Who needs all of it has the other formats.
    private static string Plain(StackView snapshot, RenderOptions options)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        TextRenderer.Render(snapshot, options with { Limit = Math.Min(options.Limit ?? PlainLimit, PlainLimit), Verbose = false }, new PlainText(writer));
        return writer.ToString();
    }

    // "410 async stacks of shop.dmp"
    private static string Title(StackView snapshot) => $"{DisplayText.Count(snapshot.Totals.Stacks, "async stack")} of {NameOf(snapshot.Target)}";

    /// <summary><c>shop.dmp</c>, <c>process 12</c>.</summary>
    internal static string NameOf(TargetFacts target)
    {
        string name = target.Path is { } path ? path[(path.LastIndexOfAny(['/', '\\']) + 1)..] : target.Pid is { } pid ? FormattableString.Invariant($"process {pid}") : "a process";
        return SafeText.Escape(name);
    }
}
