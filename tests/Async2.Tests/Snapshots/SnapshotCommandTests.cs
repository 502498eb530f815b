using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Snapshots;

/// <summary>A snapshot of a dump answers like the dump, in every format; what is not one is refused in a sentence.</summary>
[Trait("Category", "Integration")]
[Collection(DumpCollection.Name)]
public sealed class SnapshotCommandTests(ScenarioDump dump) : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Theory]
    [InlineData]
    [InlineData("--format", "json", "--all")]
    [InlineData("--format", "html")]
    [InlineData("--locals", "--leaf-first")]
    [InlineData("--tasks", "--completed")]
    [InlineData("--include-framework", "--group-by", "waiting-on")]
    [InlineData("--waiting-on", "Delay")]
    [InlineData("--method", "nothing")]
    public void It_answers_like_the_dump(params string[] options)
    {
        string file = _folder.PathOf("whole.async2snap");
        ToolRun written = ToolRun.Of("snapshot", dump.Path, "-o", file, "--locals");
        Assert.Equal((0, ""), (written.ExitCode, written.Error));
        Assert.Contains("4 stacks in it, all of them", written.Output, StringComparison.Ordinal);
        ToolRun before = ToolRun.Of([dump.Path, .. options]), after = ToolRun.Of([file, .. options]);
        Assert.Equal((before.ExitCode, before.Error), (after.ExitCode, after.Error));
        Assert.Equal(before.Output, AsDump(after.Output));
    }

    [Fact]
    public void Standard_output_holds_the_file_and_nothing_else()
    {
        string file = _folder.PathOf("whole.async2snap"), piped = _folder.PathOf("piped.async2snap");
        Assert.Equal(0, ToolRun.Of("snapshot", dump.Path, "-o", file).ExitCode);
        foreach (string name in (string[])["-", "/dev/stdout"])
        {
            Assert.Equal(new ToolRun(0, "", ""), ToolRun.Shell($"$TOOL snapshot {dump.Path} -o {name} > {piped}"));
            Assert.Equal(File.ReadAllBytes(file), File.ReadAllBytes(piped));
        }
        Assert.False(File.Exists("-"));
    }

    [Fact]
    public void Without_variables_it_says_that_there_are_none()
    {
        string file = _folder.PathOf("small.async2snap");
        Assert.Equal(0, ToolRun.Of("snapshot", dump.Path, "-o", file).ExitCode);
        Assert.InRange(new FileInfo(file).Length, 100, 100_000);
        Assert.Contains("A2D3025", ToolRun.Of(file, "--locals").Output, StringComparison.Ordinal);
        Assert.DoesNotContain("A2D3025", ToolRun.Of(file).Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_with_the_snapshot_extension_that_is_not_one_is_rejected()
    {
        string file = _folder.PathOf("text.async2snap");
        File.WriteAllText(file, "Dear diary, today the shop was slow again.");
        Outcome.IsRefusal(ToolRun.Of(file), 3, $"{file} cannot be read as a snapshot: it is not a snapshot.", "take it again from the process or the dump");
    }

    [Fact]
    public void A_snapshot_of_a_snapshot_is_rejected()
    {
        string file = _folder.PathOf("one.async2snap");
        Assert.Equal(0, ToolRun.Of("snapshot", dump.Path, "-o", file).ExitCode);
        Assert.Equal(2, ToolRun.Of("snapshot", file, "-o", _folder.PathOf("two.async2snap")).ExitCode);
    }

    public void Dispose() => _folder.Dispose();

    // Only the kind of the target differs.
    private static string AsDump(string output) => output
        .Replace("\nsnapshot ", "\ndump ", StringComparison.Ordinal)
        .Replace("\"kind\": \"snapshot\"", "\"kind\": \"dump\"", StringComparison.Ordinal)
        .Replace("\"kind\":\"snapshot\"", "\"kind\":\"dump\"", StringComparison.Ordinal);
}
