using System.Collections.Immutable;
using System.Text.RegularExpressions;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Sources;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Layouts.Descriptions;

/// <summary>Files that build on each other.</summary>
public sealed partial class LayoutFileTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void A_file_can_build_on_a_file_that_builds_on_a_built_in_layout()
    {
        Directory.CreateDirectory(_folder.PathOf("base"));
        Write("base/b.json", "{\"baseline\":\"async2/unwinder-v3\",\"types\":{\"Tasklet\":{\"!\":72,\"StackData\":56}}}");
        IReadOnlyList<LayoutDescription> chain = LayoutFile.Read(Write("a.json", "{\"baseline\":\"base/b.json\",\"types\":{\"Tasklet\":{\"RestoreIP\":64}}}"));
        var facts = new LayoutFacts(chain);
        Assert.Equal([LayoutSourceKind.File, LayoutSourceKind.File, LayoutSourceKind.BuiltIn], chain.Select(description => description.Source.Kind));
        Assert.Equal((64, 56, 40), (Offset(facts, "RestoreIP"), Offset(facts, "StackData"), Offset(facts, "StackDataInfo")));
        Assert.Equal(72, facts.Size("Tasklet"));
    }

    [Fact]
    public void A_cycle_of_baselines_is_a_fault()
    {
        string a = Write("a.json", "{\"baseline\":\"b.json\"}");
        Write("b.json", "{\"baseline\":\"a.json\"}");
        Assert.Equal(["baseline \"a.json\" refers to itself"], Faults(a));
        Assert.Equal(["baseline \"self.json\" refers to itself"], Faults(Write("self.json", "{\"baseline\":\"self.json\"}")));
    }

    [Fact]
    public void A_long_chain_of_baselines_is_a_fault()
    {
        for (int i = 0; i < 20; i++)
            Write($"{i}.json", $"{{\"baseline\":\"{i + 1}.json\"}}");
        Assert.Equal(["baseline \"16.json\" is the 17th of a row; at most 16 files build on each other"], Faults(_folder.PathOf("0.json")));
    }

    [Fact]
    public void A_missing_baseline_is_a_fault()
        => Assert.Equal(
            ["baseline \"net9\" is not a built-in layout (net11, net10, async2/jit, async2/unwinder-v4, async2/unwinder-v3, async2/unwinder-v2), and there is no such file beside it"],
            Faults(Write("a.json", "{\"baseline\":\"net9\"}")));

    [Fact]
    public void A_fault_of_a_baseline_is_its_own()
    {
        Write("b.json", "{");
        var error = Assert.Throws<LayoutException>(() => LayoutFile.Read(Write("a.json", "{\"baseline\":\"b.json\"}")));
        Assert.Contains("b.json: line 1, column 2: it is not JSON", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_path_that_is_not_a_file_is_rejected()
    {
        Assert.Equal(["there is no such file"], Faults(_folder.PathOf("nothing")));
        Assert.Equal(["it is a folder"], Faults(_folder.Path));
        Assert.Equal(["it has no type, global or contract that concerns async code"], Faults(Write("empty.json", "{\"types\":{\"Thread\":{}}}")));
    }

    [Fact]
    public void A_pipe_does_not_block()
    {
        Assert.Equal(0, ToolRun.Shell($"mkfifo {_folder.PathOf("pipe")}").ExitCode);
        Assert.Equal(["it is a pipe or a device, not a file"], Faults(_folder.PathOf("pipe")));
    }

    [Fact]
    public void Two_mebibytes_are_not_even_read()
        => Assert.Equal(["the file is 2,097,152 bytes; a layout has at most 1 MiB"], Faults(Write("big.json", new string(' ', 2 * 1024 * 1024))));

    [Fact]
    public void The_examples_in_the_docs_are_valid()
    {
        string page = File.ReadAllText(Repository.PathOf("docs", "layouts.md"));
        string[] examples = [.. JsonBlock().Matches(page).Select(block => block.Groups[1].Value)];
        Assert.Equal(2, examples.Length);
        Assert.Equal(2, LayoutFile.Read(Write("my.json", examples[0])).Count);
        Assert.Equal(3, LayoutFile.Read(Write("with-head.json", examples[1])).Count);
    }

    [Fact]
    public void The_page_has_every_name()
    {
        string page = File.ReadAllText(Repository.PathOf("docs", "layouts.md"));
        LayoutDescription[] all = [.. Baselines.Names.Select(name => Baselines.Find(name)!)];
        IEnumerable<string> names = all.SelectMany(layout => layout.Globals.Keys.Concat(layout.Types.Keys).Concat(layout.Types.Values.SelectMany(type => type.Fields.Keys)));
        Assert.DoesNotContain(names.Concat(Baselines.Names), name => !page.Contains($"`{name}`", StringComparison.Ordinal));
    }

    public void Dispose() => _folder.Dispose();

    [GeneratedRegex("```json\\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex JsonBlock();

    private static int? Offset(LayoutFacts facts, string field) => facts.Field("Tasklet", field)?.Offset;

    private static ImmutableArray<string> Faults(string path) => Assert.Throws<LayoutException>(() => LayoutFile.Read(path)).Faults;

    private string Write(string name, string json)
    {
        File.WriteAllText(_folder.PathOf(name), json);
        return _folder.PathOf(name);
    }
}
