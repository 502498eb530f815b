using System.IO.Compression;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Rendering.Tree;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>
/// The answer as one page that opens from disk and needs no network: the viewer of the VS Code extension and the tree
/// of all stacks. Its content security policy allows only the two scripts written here, by their hashes, so no name from a target can
/// ever become a script.
/// </summary>
public sealed class HtmlRenderer : IRenderer
{
    /// <summary>Where the viewer looks for the tree.</summary>
    private const string DataId = "async2-tree";

    /// <summary>The uncompressed tree.</summary>
    private const string PlainType = "application/json";

    /// <summary>The compressed tree, as Base64.</summary>
    private const string PackedType = "application/gzip;base64";

    /// <inheritdoc/>
    public string Format => "html";

    /// <inheritdoc/>
    public void Render(StackView snapshot, RenderOptions options, Stream output)
    {
        string script = Resource("viewer.js"), style = Resource("viewer.css");
        string verdict = SafeText.Escape(SummaryText.Sentence(snapshot));
        using var writer = new StreamWriter(output, new UTF8Encoding(false), bufferSize: 1 << 16, leaveOpen: true) { NewLine = "\n" };
        writer.Write($"""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '{Hash(script)}'; style-src '{Hash(style)}'; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>{Text(Title(snapshot))}</title>
            <style>{style}</style>
            </head>
            <body>
            <div id="viewer"></div>
            <noscript><p>{Text(verdict)}</p><p>This page draws the stacks with a script, and scripts are switched off here.</p></noscript>

            """);
        writer.Flush();
        WriteTree(new TreePages(snapshot, options.Limit, size: int.MaxValue), writer, output);
        writer.Write($"</script>\n<script>{script}</script>\n</body>\n</html>\n");
    }

    // Neither form can end the element: one escapes <, the other has none.
    private static void WriteTree(TreePages pages, StreamWriter writer, Stream output)
    {
        writer.Write($"<script type=\"{(pages.IsBig ? PackedType : PlainType)}\" id=\"{DataId}\">");
        writer.Flush();
        if (!pages.IsBig)
        {
            pages.Write(0, output);
            return;
        }
        using var letters = new CryptoStream(output, new ToBase64Transform(), CryptoStreamMode.Write, leaveOpen: true);
        using var packed = new GZipStream(letters, CompressionLevel.Optimal);
        pages.Write(0, packed);
    }

    // "410 async stacks of shop.dmp"
    private static string Title(StackView snapshot)
    {
        TargetFacts target = snapshot.Target;
        string name = target.Path is { } path ? path[(path.LastIndexOfAny(['/', '\\']) + 1)..] : target.Pid is { } pid ? FormattableString.Invariant($"process {pid}") : "a process";
        return $"{DisplayText.Count(snapshot.Totals.Stacks, "async stack")} of {SafeText.Escape(name)}";
    }

    private static string Text(string text) => WebUtility.HtmlEncode(text);

    // As a browser computes it: over the text between the tags, in UTF-8.
    private static string Hash(string text) => "sha256-" + Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    private static string Resource(string name)
    {
        using Stream stream = typeof(HtmlRenderer).Assembly.GetManifestResourceStream("Async2.Viewer." + name)!;
        using var reader = new StreamReader(stream, Encoding.UTF8);
        return reader.ReadToEnd().TrimEnd('\n');
    }
}
