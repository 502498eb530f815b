using Async2.Analysis.Metadata.Symbols;

namespace Async2.Tests.Metadata;

public class SourceLineTests
{
    private static readonly FixtureModule Module = FixtureModule.Async;
    private static readonly PortablePdb Pdb = PortablePdb.Open(File.ReadAllBytes(Path.ChangeExtension(Module.Path, ".pdb")))!;

    [Fact]
    public void Each_await_has_the_line_its_statement_begins_on()
    {
        // A statement over several lines has one sequence point, at its first line.
        Assert.Equal([8, 11, 14], LinesOfAwaits("Three"));
        Assert.All(AwaitLines("Three"), l => Assert.EndsWith("NamesFixture/Lines.cs", l.Document.Replace('\\', '/'), StringComparison.Ordinal));
    }

    [Fact]
    public void Both_awaits_of_an_await_foreach_are_on_its_line() => Assert.Equal([21, 21], LinesOfAwaits("Hidden"));

    [Fact]
    public void Lines_of_generated_code_are_in_the_file_the_generator_names()
    {
        var line = Assert.Single(AwaitLines("Generated"));
        Assert.Equal(("/build/Generated.cs", 200), (line.Document, line.Line));
    }

    [Fact]
    public void Unoptimised_and_classic_builds_have_the_same_lines()
    {
        var pdb = PortablePdb.Open(File.ReadAllBytes(Path.ChangeExtension(FixtureModule.Unoptimized.Path, ".pdb")))!;
        var token = FixtureModule.Unoptimized.Token("Shop.Lines", "Three");
        Assert.Equal([8, 11, 14], FixtureModule.Unoptimized.Awaits(token).Select(s => pdb.LineOf(token, s.CallILOffset)!.Line));

        var classic = FixtureModule.Classic;
        var embedded = classic.Image.ReadEmbeddedPdb()!;
        var moveNext = classic.Token("Shop.Lines+<Three>d__*", "MoveNext");
        var lines = Enumerable.Range(0, classic.IL(moveNext).Length).Select(o => embedded.LineOf(moveNext, o)?.Line).Distinct();
        Assert.Subset(lines.ToHashSet(), new HashSet<int?> { 8, 11, 14 });
    }

    [Theory]
    [InlineData(int.MaxValue)]
    [InlineData(100_000)]
    public void An_offset_behind_the_end_is_on_the_last_line(int offset) =>
        Assert.Equal(17, Pdb.LineOf(Module.Token("Shop.Lines", "Three"), offset)!.Line);

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    public void An_offset_before_the_first_line_has_none(int offset) =>
        Assert.Null(Pdb.LineOf(Module.Token("Shop.Lines", "Three"), offset));

    [Theory]
    [InlineData(0)]
    [InlineData(0x06FFFFFF)]
    [InlineData(0x06000000)]
    [InlineData(0x02000001)]
    public void A_token_that_is_not_a_method_has_no_lines(int token) => Assert.Null(Pdb.LineOf(token, 0));

    [Fact]
    public void A_method_without_body_has_no_lines() => Assert.Null(Pdb.LineOf(Module.Token("Shop.IPay", "PayAsync"), 0));

    [Fact]
    public void The_pdb_has_the_id_its_module_asks_for()
    {
        Assert.Equal(Module.Image.CodeView!.Id, Pdb.Id);
        Assert.NotEqual(FixtureModule.Unoptimized.Image.CodeView!.Id, Pdb.Id);
        Assert.Equal(FixtureModule.Classic.Image.CodeView!.Id, FixtureModule.Classic.Image.ReadEmbeddedPdb()!.Id);
    }

    private static IEnumerable<SourceLine> AwaitLines(string method)
    {
        var token = Module.Token("Shop.Lines", method);
        return Module.Awaits(token).Select(s => Pdb.LineOf(token, s.ILOffset)!);
    }

    private static IEnumerable<int> LinesOfAwaits(string method) => AwaitLines(method).Select(l => l.Line);
}
