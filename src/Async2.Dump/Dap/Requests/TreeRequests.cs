using System.Collections.Immutable;
using System.Text;
using System.Text.Json;
using Async2.Analysis;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Members;
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
    private const int DefaultMembers = 50;
    private const int MostMembers = 1000;

    private (DapCapture Capture, (LookChanges, bool)? Changes, TreePages Pages)? _tree;

    public IEnumerable<(string Command, DapHandler Handler)> All =>
    [
        ("async2/tree", Tree),
        ("async2/html", Html),
        ("async2/members", Members),
        ("async2/pin", Pin),
        ("async2/snapshot", Save),
    ];

    private DapReply Tree(DapRequest request, CancellationToken cancellation)
    {
        DapCapture capture = session.Capture;
        if (_tree is not { } tree || tree.Capture != capture || tree.Changes != capture.Changes)
            _tree = tree = (capture, capture.Changes, new TreePages(capture.Snapshot) { Changes = capture.Changes?.Changes, IsPinned = capture.Changes?.IsPinned == true });
        TreePages pages = tree.Pages;
        int page = request.Number("page") ?? 0;
        if (page >= pages.Count)
            throw DapError.Unknown($"There is no page {page} of the tree: it has {DisplayText.Count(pages.Count, "page")}.");
        using var json = new MemoryStream();
        pages.Write(page, json);
        return new DapReply { Json = json.ToArray() };
    }

    private DapReply Members(DapRequest request, CancellationToken cancellation)
    {
        DapCapture capture = session.Capture;
        LogicalStack stack = capture.StackOf(capture.ThreadOf(request.RequiredText("stack")));
        using var json = new MemoryStream();
        TreePages.Write(capture.MembersOf(stack, request.Number("start") ?? 0, Math.Min(request.Number("count") ?? DefaultMembers, MostMembers)), json);
        return new DapReply { Json = json.ToArray() };
    }

    // Looks are compared with this one from now on.
    private DapReply Pin(DapRequest request, CancellationToken cancellation)
    {
        session.Pin(request.Switch("pinned", true));
        return new DapReply(Then: () => session.Client.Event("async2/changed"));
    }

    // The client writes the file: this process writes none.
    private DapReply Save(DapRequest request, CancellationToken cancellation)
    {
        using var file = new MemoryStream();
        session.Capture.Save(file, new SnapshotOptions { Locals = request.Switch("locals", false), Redact = request.Switch("redact", false), Notes = Notes(request) });
        byte[] bytes = file.ToArray();
        return new DapReply(writer => writer.WriteBase64String("snapshot", bytes));
    }

    private static ImmutableArray<StackNote>? Notes(DapRequest request)
    {
        if (request.Find("notes") is not { } notes)
            return null;
        if (notes.ValueKind != JsonValueKind.Array || notes.EnumerateArray().Any(note => TextOf(note, "key") is null || TextOf(note, "text") is null))
            throw request.Wrong("notes", "a list of objects with key and text");
        return [.. notes.EnumerateArray().Select(note => new StackNote(TextOf(note, "key")!, TextOf(note, "text")!))];
    }

    private static string? TextOf(JsonElement note, string name)
        => note.ValueKind == JsonValueKind.Object && note.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;

    private DapReply Html(DapRequest request, CancellationToken cancellation)
    {
        using var page = new MemoryStream();
        new HtmlRenderer().Render(session.Capture.Snapshot, new RenderOptions(), page);
        string html = Encoding.UTF8.GetString(page.GetBuffer(), 0, (int)page.Length);
        return new DapReply(writer => writer.WriteString("html", html));
    }
}
