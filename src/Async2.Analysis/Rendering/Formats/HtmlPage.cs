using System.IO.Compression;
using System.Net;
using System.Security.Cryptography;
using System.Text;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>
/// A page that opens from disk and needs no network: a script, its style, and the data that it draws. The content security policy allows only the
/// script and the style written here, by their hashes, so no name from a target can ever become a script.
/// </summary>
/// <param name="Program">Name of the script and the style: <c>viewer</c>, <c>diff</c>.</param>
/// <param name="Title">Of the window.</param>
/// <param name="Verdict">What is said where scripts are switched off.</param>
/// <param name="Write">Writes the data, as JSON in which nothing ends a script element.</param>
internal sealed record HtmlPage(string Program, string Title, string Verdict, Action<Stream> Write)
{
    // The uncompressed data.
    private const string PlainType = "application/json";

    // The compressed data, as Base64.
    private const string PackedType = "application/gzip;base64";

    /// <summary>The data is big enough to be compressed.</summary>
    public bool IsBig { get; init; }

    /// <summary>The answer as text, for who has scripts switched off; empty for the verdict alone.</summary>
    public string PlainAnswer { get; init; } = "";

    /// <summary>Where the script looks for the data.</summary>
    public required string DataId { get; init; }

    public void WriteTo(Stream output)
    {
        string script = Resource(Program + ".js"), style = Resource(Program + ".css");
        using var writer = new StreamWriter(output, new UTF8Encoding(false), bufferSize: 1 << 16, leaveOpen: true) { NewLine = "\n" };
        writer.Write($"""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '{Hash(script)}'; style-src '{Hash(style)}'; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>{Text(Title)}</title>
            <style>{style}</style>
            </head>
            <body>
            <div id="viewer"></div>
            <noscript>{Plain}<p>This page draws the stacks with a script, and scripts are switched off here.</p></noscript>

            """);
        writer.Write($"<script type=\"{(IsBig ? PackedType : PlainType)}\" id=\"{DataId}\">");
        writer.Flush();
        WriteData(output);
        writer.Write($"</script>\n<script>{script}</script>\n</body>\n</html>\n");
    }

    private string Plain => PlainAnswer.Length == 0 ? $"<p>{Text(Verdict)}</p>" : $"<pre>{Text(PlainAnswer)}</pre>";

    // Neither form can end the element: one escapes <, the other has none.
    private void WriteData(Stream output)
    {
        if (!IsBig)
        {
            Write(output);
            return;
        }
        using var letters = new CryptoStream(output, new ToBase64Transform(), CryptoStreamMode.Write, leaveOpen: true);
        using var packed = new GZipStream(letters, CompressionLevel.Optimal);
        Write(packed);
    }

    private static string Text(string text) => WebUtility.HtmlEncode(text);

    // As a browser computes it: over the text between the tags, in UTF-8.
    private static string Hash(string text) => "sha256-" + Convert.ToBase64String(Sha256.HashOf(Encoding.UTF8.GetBytes(text)));

    private static string Resource(string name)
    {
        using Stream stream = typeof(HtmlPage).Assembly.GetManifestResourceStream("Async2.Viewer." + name)!;
        using var reader = new StreamReader(stream, Encoding.UTF8);
        return reader.ReadToEnd().TrimEnd('\n');
    }
}
