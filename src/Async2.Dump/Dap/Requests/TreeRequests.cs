using System.Text;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Rendering.Tree;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Session;

namespace Async2.Dump.Dap.Requests;

/// <summary>All stacks as one picture: the tree that the viewer draws, and the HTML page.</summary>
internal sealed class TreeRequests(DapSession session)
{
    private (DapCapture Capture, TreePages Pages)? _tree;

    public IEnumerable<(string Command, DapHandler Handler)> All =>
    [
        ("async2/tree", Tree),
        ("async2/html", Html),
    ];

    private DapReply Tree(DapRequest request, CancellationToken cancellation)
    {
        DapCapture capture = session.Capture;
        if (_tree?.Capture != capture)
            _tree = (capture, new TreePages(capture.Snapshot));
        TreePages pages = _tree.Value.Pages;
        int page = request.Number("page") ?? 0;
        if (page >= pages.Count)
            throw DapError.Unknown($"There is no page {page} of the tree: it has {DisplayText.Count(pages.Count, "page")}.");
        using var json = new MemoryStream();
        pages.Write(page, json);
        return new DapReply { Json = json.ToArray() };
    }

    private DapReply Html(DapRequest request, CancellationToken cancellation)
    {
        using var page = new MemoryStream();
        new HtmlRenderer().Render(session.Capture.Snapshot, new RenderOptions(), page);
        string html = Encoding.UTF8.GetString(page.GetBuffer(), 0, (int)page.Length);
        return new DapReply(writer => writer.WriteString("html", html));
    }
}
