using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Operations;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Rendering;

/// <summary>The pages of <c>diff --format html</c>: whole in itself, nothing in it runs but its own script, and it has all that the comparison says.</summary>
public sealed partial class DiffPageTests
{
    private const string Evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";

    [Fact]
    public void The_page_has_the_comparison_in_it()
    {
        JsonElement data = DataOf(Page(Diff("SemaphoreSlim.WaitAsync")));
        Assert.Equal("7 of 10 stacks have not moved in 5 s; 2 moved, 1 new, 3 gone", data.GetProperty("verdict").GetString());
        JsonElement group = data.GetProperty("groups")[0];
        Assert.Equal(("s1", 12, 10, "address 5, order 2"), (group.GetProperty("id").GetString(), group.GetProperty("counts").GetProperty("before").GetInt32(), group.GetProperty("counts").GetProperty("after").GetInt32(), group.GetProperty("known").GetString()));
        Assert.Equal(["Shop.PayAsync()", "Program.Main()"], group.GetProperty("frames").EnumerateArray().Select(frame => frame.GetProperty("method").GetString()));
        Assert.Equal(("s1", 2), (group.GetProperty("ways")[0].GetProperty("to").GetString(), group.GetProperty("ways")[0].GetProperty("count").GetInt32()));
        Assert.Equal("gone", data.GetProperty("findings")[0].GetProperty("change").GetString());
        Assert.Equal(("Shop._till", 3, 9), (data.GetProperty("queues")[0].GetProperty("name").GetString(), data.GetProperty("queues")[0].GetProperty("before").GetInt32(), data.GetProperty("queues")[0].GetProperty("after").GetInt32()));
    }

    [Fact]
    public void Hostile_names_are_text_and_the_policy_names_script_and_style()
    {
        string page = Page(Diff(Evil));
        Assert.DoesNotContain("<img", page, StringComparison.Ordinal);
        string script = Assert.Single(Script().Matches(page)).Groups[1].Value, style = Assert.Single(Style().Matches(page)).Groups[1].Value;
        Assert.Equal($"default-src 'none'; script-src '{Hash(script)}'; style-src '{Hash(style)}'; base-uri 'none'; form-action 'none'", Policy().Match(page).Groups[1].Value);
        Assert.True(script.Length > 5000 && style.Length > 5000, "the script or the style is not in it");
        // What a policy by hashes does not let through, and what needs a network.
        Assert.DoesNotMatch(@"\sstyle\s*=\s*""|\son\w+\s*=\s*""", page.Replace(script, "", StringComparison.Ordinal));
        Assert.DoesNotMatch(@"(src|href)\s*=\s*""?(https?:)?//|@import|url\(""?http", page);
        JsonElement data = DataOf(page);
        Assert.Equal(Evil, data.GetProperty("groups")[0].GetProperty("wait").GetString());
        // Control characters and those that turn the direction of text are written out.
        Assert.DoesNotContain('\u202e', data.GetProperty("queues")[0].GetProperty("name").GetString()!);
    }

    [Fact]
    public void The_page_of_what_grows_is_as_harmless()
    {
        StackView shop = new SnapshotDrawing().Stack(9, Evil, Evil + "() | /src/Shop.cs:9", "Program.Main() | /src/Program.cs:2").Snapshot();
        using var stream = new MemoryStream();
        GrowthRenderer.WriteHtml(
            new()
            {
                Targets = [shop.Target, shop.Target, shop.Target],
                Stacks = [3, 5, 9],
                Groups = [new(shop.Stacks[0], [3, 5, 9], 2.5, 0)],
                Others = 2,
                Filter = Evil + "\u202e",
                Problems = [],
                Complete = false,
            },
            new RenderOptions(),
            stream);
        string page = Encoding.UTF8.GetString(stream.ToArray());
        Assert.DoesNotContain("<img", page, StringComparison.Ordinal);
        JsonElement data = JsonDocument.Parse(GrowthData().Match(page).Groups[1].Value).RootElement, group = data.GetProperty("groups")[0];
        Assert.Equal((Evil, "+6, 2.5 a minute; none went on"), (group.GetProperty("wait").GetString(), group.GetProperty("pace").GetString()));
        Assert.Equal([3, 5, 9], group.GetProperty("counts").EnumerateArray().Select(count => count.GetInt32()));
        Assert.DoesNotContain('\u202e', data.GetProperty("filter").GetString()!);
        Assert.False(data.GetProperty("complete").GetBoolean());
    }

    private static TargetDiff Diff(string wait)
    {
        StackView shop = new SnapshotDrawing().Stack(10, wait, "Shop.PayAsync() | /src/Shop.cs:9", "Program.Main() | /src/Program.cs:2").Snapshot();
        var counts = new ChangeCounts(12, 10, 7, 2, 1, 3);
        return new()
        {
            Before = shop.Target,
            After = shop.Target,
            ApartMs = 5000,
            Totals = counts,
            Groups = [new(shop.Stacks[0], counts, 0, [new(MatchedBy.Address, 5), new(MatchedBy.Order, 2)])],
            Moves = [new("s1", "s1", 2), new(null, "s1", 1)],
            Findings = [new(FindingFate.Gone, new Finding("deadlock", Severity.Error, Confidence.Certain, wait, []))],
            Queues = [new(wait == Evil ? Evil + "\u202e" : "Shop._till", 3, 9)],
            Problems = [],
            Complete = true,
        };
    }

    private static string Page(TargetDiff diff)
    {
        using var stream = new MemoryStream();
        DiffRenderer.WriteHtml(diff, new RenderOptions(), stream);
        return Encoding.UTF8.GetString(stream.ToArray());
    }

    private static JsonElement DataOf(string page) => JsonDocument.Parse(Data().Match(page).Groups[1].Value).RootElement;

    private static string Hash(string text) => "sha256-" + Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    [GeneratedRegex("""<script type="application/json" id="async2-diff">(.*?)</script>""")]
    private static partial Regex Data();

    [GeneratedRegex("""<script type="application/json" id="async2-growth">(.*?)</script>""")]
    private static partial Regex GrowthData();

    [GeneratedRegex("<script>(.*?)</script>", RegexOptions.Singleline)]
    private static partial Regex Script();

    [GeneratedRegex("<style>(.*?)</style>", RegexOptions.Singleline)]
    private static partial Regex Style();

    [GeneratedRegex("""Content-Security-Policy" content="([^"]*)""")]
    private static partial Regex Policy();
}
