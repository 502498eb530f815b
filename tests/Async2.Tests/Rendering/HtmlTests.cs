using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Tree;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

/// <summary>The page of <c>--format html</c>: whole in itself, and nothing in it runs but the viewer.</summary>
public sealed partial class HtmlTests
{
    private static readonly StackView Shop = new SnapshotDrawing().Stack(398, "SemaphoreSlim.WaitAsync", "Shop.PayAsync() | /src/Shop.cs:9", "Program.Main() | /src/Program.cs:2").Snapshot();

    [Fact]
    public void The_page_says_what_it_is_and_has_the_tree_in_it()
    {
        string page = Page(Shop);
        Assert.StartsWith("<!DOCTYPE html>\n<html lang=\"en\">", page, StringComparison.Ordinal);
        Assert.Contains("<title>398 async stacks of shop.dmp</title>", page, StringComparison.Ordinal);
        JsonElement tree = JsonDocument.Parse(Data().Match(page).Groups[1].Value).RootElement;
        Assert.Equal("async2.tree/1", tree.GetProperty("schema").GetString());
        Assert.False(tree.TryGetProperty("next", out _));
        Assert.Equal(398, tree.GetProperty("stacks")[0].GetProperty("count").GetInt32());
    }

    [Fact]
    public void Scripts_and_styles_are_the_two_whose_hashes_the_policy_names()
    {
        string page = Page(Shop);
        string policy = Policy().Match(page).Groups[1].Value;
        string[] scripts = [.. Script().Matches(page).Select(m => m.Groups[1].Value)], styles = [.. Style().Matches(page).Select(m => m.Groups[1].Value)];

        Assert.Equal($"default-src 'none'; script-src '{Hash(Assert.Single(scripts))}'; style-src '{Hash(Assert.Single(styles))}'; base-uri 'none'; form-action 'none'", policy);
        Assert.True(scripts[0].Length > 5000 && styles[0].Length > 1000, "the viewer is not in it");
        // What a policy by hashes does not let through.
        Assert.DoesNotMatch(@"\sstyle\s*=\s*""|\son\w+\s*=\s*""", page.Replace(scripts[0], "", StringComparison.Ordinal));
    }

    [Fact]
    public void Without_scripts_the_answer_is_there_as_text()
    {
        string text = Page(Shop).Split("<noscript>")[1].Split("</noscript>")[0];
        Assert.Contains("398 stacks suspended", text, StringComparison.Ordinal);
        Assert.Contains("Shop.PayAsync()  Shop.cs:9", text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_network_is_not_used()
    {
        string page = Page(Shop);
        Assert.DoesNotMatch(@"(src|href)\s*=\s*""?(https?:)?//", page);
        Assert.DoesNotContain("@import", page, StringComparison.Ordinal);
        Assert.DoesNotContain("url(http", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Hostile_names_are_text()
    {
        const string evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
        var drawing = new SnapshotDrawing().Stack(1, evil, $"{evil}.F() | /src/{evil}.cs:1").Problem("A2D1003", evil);
        drawing.Target = drawing.Target with { Path = $"/dumps/{evil}\u0007.dmp" };
        string page = Page(drawing.Snapshot());

        Assert.Equal(2, Regex.Count(page, "</script>"));
        Assert.DoesNotContain("<img", page, StringComparison.Ordinal);
        Assert.DoesNotContain("alert(1)</script>", page, StringComparison.Ordinal);
        Assert.DoesNotContain('\u0007', page);
        Assert.Contains(evil, JsonDocument.Parse(Data().Match(page).Groups[1].Value).RootElement.GetProperty("frames")[0].GetProperty("method").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public void The_viewer_itself_cannot_end_its_element()
    {
        Assert.DoesNotContain("</script", Script().Match(Page(Shop)).Groups[1].Value, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("<!--", Script().Match(Page(Shop)).Groups[1].Value, StringComparison.Ordinal);
    }

    [Fact]
    public void A_big_tree_is_compressed_without_a_change()
    {
        var drawing = new SnapshotDrawing();
        for (int i = 0; i < 3000; i++)
            drawing.Stack(1, "</script>", $"Leaf.F{i}() | l.cs:{i + 1}", $"Middle.G{i % 7}() | m.cs:{(i % 7) + 1}", "Program.Main() | p.cs:1");
        string page = Page(drawing.Snapshot());
        byte[] packed = Convert.FromBase64String(Packed().Match(page).Groups[1].Value);
        using var whole = new GZipStream(new MemoryStream(packed), CompressionMode.Decompress);
        using var expected = new MemoryStream();
        new TreePages(drawing.Snapshot(), size: int.MaxValue).Write(0, expected);

        Assert.Equal(Encoding.UTF8.GetString(expected.ToArray()), new StreamReader(whole).ReadToEnd());
        Assert.True(packed.Length * 5 < expected.Length, $"{packed.Length} of {expected.Length} bytes");
        Assert.Equal(2, Regex.Count(page, "</script>"));
    }

    [Fact]
    public void A_limit_omits_stacks_and_keeps_the_totals()
    {
        var drawing = new SnapshotDrawing();
        for (int i = 0; i < 5; i++)
            drawing.Stack(1, null, $"A.F{i}() | a.cs:{i + 1}");
        JsonElement tree = JsonDocument.Parse(Data().Match(Page(drawing.Snapshot(), new RenderOptions { Limit = 2 })).Groups[1].Value).RootElement;
        Assert.Equal(2, tree.GetProperty("stacks").GetArrayLength());
        Assert.Equal(5, tree.GetProperty("head").GetProperty("totals").GetProperty("groups").GetInt32());
    }

    private static string Page(StackView snapshot, RenderOptions? options = null)
    {
        using var output = new MemoryStream();
        new HtmlRenderer().Render(snapshot, options ?? new RenderOptions(), output);
        return Encoding.UTF8.GetString(output.ToArray());
    }

    private static string Hash(string text) => "sha256-" + Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    [GeneratedRegex(@"<script type=""application/json"" id=""async2-tree"">(.*?)</script>", RegexOptions.Singleline)]
    private static partial Regex Data();

    [GeneratedRegex(@"<script type=""application/gzip;base64"" id=""async2-tree"">(.*?)</script>", RegexOptions.Singleline)]
    private static partial Regex Packed();

    [GeneratedRegex(@"http-equiv=""Content-Security-Policy"" content=""([^""]*)""")]
    private static partial Regex Policy();

    [GeneratedRegex(@"<script>(.*?)</script>", RegexOptions.Singleline)]
    private static partial Regex Script();

    [GeneratedRegex(@"<style>(.*?)</style>", RegexOptions.Singleline)]
    private static partial Regex Style();
}
