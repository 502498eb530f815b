using System.Collections.Immutable;
using System.Text;
using Async2.Analysis.Layouts.Descriptions;

namespace Async2.Tests.Layouts.Descriptions;

/// <summary>Each fault of a description is a sentence that names the thing.</summary>
public sealed class DescriptionParserTests
{
    [Fact]
    public void Every_form_of_the_grammar_is_read()
    {
        LayoutDescription read = Parse("""
            {
              "version": 0, // as the runtime writes it
              "baseline": "net10",
              "contracts": { "Async2Tasklets": 1, "Async2Continuations": "c2", "Thread": 1 },
              "types": { "Tasklet": { "!": "0x40", "RestoreIP": [32, "pointer"], "StackData": 24, "PrevInStack": null }, "Thread": { "Odd": {} } },
              "globals": {
                "TaskletSentinel": [[1], "pointer"], "ContinuationMethodTable": [2],
                "TaskletRegisterEndFirst": ["0x12", "int32"], "TaskletActiveGeneration": -1, "TaskletOwnerTypes": "A;B", "TaskletOwnerChainField": ["12", "string"],
                "TaskletRegisterEndLast": null, "Architecture": { "odd": [] }
              },
            }
            """, [0, 0x1000, 0x2000]);
        Assert.Equal("net10", read.Baseline);
        Assert.Equal([("Async2Tasklets", "1"), ("Async2Continuations", "2")], read.Contracts.Select(contract => (contract.Key, contract.Value)));
        TypeDescription tasklet = Assert.Single(read.Types).Value;
        Assert.Equal(0x40, tasklet.Size);
        Assert.Equal([("RestoreIP", new FieldDescription(32, "pointer")), ("StackData", new(24, null))], tasklet.Fields.Select(field => (field.Key, field.Value)));
        Assert.Equal(["Tasklet.PrevInStack", "TaskletRegisterEndLast"], read.Absent.Order(StringComparer.Ordinal));
        Assert.Equal((0x1000ul, 0x2000ul), (read.Globals["TaskletSentinel"].Address, read.Globals["ContinuationMethodTable"].Address));
        Assert.Equal((0x12L, -1L), (read.Globals["TaskletRegisterEndFirst"].Number, read.Globals["TaskletActiveGeneration"].Number));
        Assert.Equal(("A;B", "12"), (read.Globals["TaskletOwnerTypes"].Text, read.Globals["TaskletOwnerChainField"].Text));
        Assert.Equal(["contract Thread", "type Thread", "global Architecture"], read.Ignored);
    }

    [Fact]
    public void A_file_says_where_variables_are_and_what_it_is_for()
    {
        LayoutDescription read = Parse("""
            {
              "target": { "arch": "x64", "os": "any", "module": "coreclr", "buildId": "8BFF" },
              "globals": {
                "TaskletSentinel": { "symbol": "g_pTaskletSentinel", "module": "coreclr" },
                "TaskletA": { "rva": "0x6cc780", "module": "libcoreclr.so" },
                "TaskletB": { "address": "0xffff800000001000" }
              }
            }
            """);
        Assert.Equal(new LayoutTarget("x64", null, "coreclr", "8bff"), read.Target);
        Assert.Equal(new GlobalPlace("g_pTaskletSentinel", null, "coreclr"), read.Globals["TaskletSentinel"].Place);
        Assert.Equal(new GlobalPlace(null, 0x6cc780, "libcoreclr.so"), read.Globals["TaskletA"].Place);
        Assert.Equal(0xffff800000001000, read.Globals["TaskletB"].Address);
    }

    [Theory]
    [InlineData("", "line 1, column 1: it is not JSON")]
    [InlineData("{ \"types\": {", "line 1, column 13: it is not JSON")]
    [InlineData("{\n  \"types\": [}", "line 2, column 13: it is not JSON")]
    [InlineData("[]", "it is not a JSON object")]
    [InlineData("{\"a\":[[[[[[[[1]]]]]]]]}", "line 1, column 13: it nests deeper than 8 levels")]
    [InlineData("{\"a\":\"\\ud800\"}", "line 1, column 6: a text that is not UTF-8")]
    [InlineData("{\"types\": 7}", "types is 7, and has to be an object")]
    [InlineData("{\"types\": {\"Tasklet\": 7}}", "Tasklet is 7, and has to be an object")]
    [InlineData("{\"types\": {}, \"types\": {}}", "types is there twice")]
    [InlineData("{\"types\": {\"Tasklet\": {}, \"Tasklet\": {}}}", "types.Tasklet is there twice")]
    [InlineData("{\"types\": {\"Tasklet\": {\"RestoreIP\": 8, \"RestoreIP\": 16}}}", "Tasklet.RestoreIP is there twice")]
    [InlineData("{\"globals\": {\"TaskletSentinel\": 1, \"TaskletSentinel\": 1}}", "globals.TaskletSentinel is there twice")]
    [InlineData("{\"types\": {\"Tasklet\": {\"RestoreIP\": -8}}}", "Tasklet.RestoreIP is -8; an offset is a number from 0 to 1,023")]
    [InlineData("{\"types\": {\"Tasklet\": {\"RestoreIP\": 99999999999999999999999}}}", "Tasklet.RestoreIP is 99999999999999999999999; an offset is a number from 0 to 1,023")]
    [InlineData("{\"types\": {\"Tasklet\": {\"RestoreIP\": 1e3}}}", "Tasklet.RestoreIP is 1e3; an offset is a number from 0 to 1,023")]
    [InlineData("{\"types\": {\"Tasklet\": {\"RestoreIP\": [8]}}}", "Tasklet.RestoreIP is [8]; a field is an offset, [offset, \"type\"], or null where there is none")]
    [InlineData("{\"types\": {\"Tasklet\": {\"RestoreIP\": [8, 9]}}}", "Tasklet.RestoreIP is [8, 9]; a field is")]
    [InlineData("{\"types\": {\"Tasklet\": {\"!\": 0}}}", "Tasklet.! is 0; a size is a number from 1 to 1,024")]
    [InlineData("{\"types\": {\"Tasklet\": {\"!\": 1025}}}", "Tasklet.! is 1025; a size is a number from 1 to 1,024")]
    [InlineData("{\"globals\": {\"TaskletSentinel\": [[1], \"pointer\"]}}", "TaskletSentinel is an index of pointer data, which a file does not have")]
    [InlineData("{\"globals\": {\"TaskletSentinel\": {\"symbol\": \"a\"}}}", "TaskletSentinel is {\"symbol\": \"a\"}; a global is a value")]
    [InlineData("{\"globals\": {\"TaskletSentinel\": {\"symbol\": \"a\", \"rva\": 1, \"module\": \"m\"}}}", "TaskletSentinel is {\"symbol\": \"a\", \"rva\": 1, \"module\": \"m\"}; a global is")]
    [InlineData("{\"globals\": {\"TaskletSentinel\": true}}", "TaskletSentinel is true; a global is")]
    [InlineData("{\"globals\": {\"TaskletSentinel\": []}}", "TaskletSentinel is []; a global is")]
    [InlineData("{\"globals\": {\"TaskletRegisterEndLast\": [\"nineteen\", \"int32\"]}}", "TaskletRegisterEndLast is \"nineteen\", which is not a valid int32")]
    [InlineData("{\"contracts\": {\"Async2Tasklets\": [1]}}", "contract Async2Tasklets is [1]; a version is a number or a string")]
    [InlineData("{\"baseline\": 7}", "baseline is 7, and has to be a string")]
    [InlineData("{\"target\": {\"module\": \"coreclr\", \"buildId\": \"xyz\"}}", "target.buildId is \"xyz\", which is not a hexadecimal number")]
    [InlineData("{\"target\": {\"buildId\": \"ab\"}}", "target.buildId needs a module")]
    public void A_fault_is_named(string json, string fault) => Assert.Contains(Faults(json), sentence => sentence.StartsWith(fault, StringComparison.Ordinal));

    [Fact]
    public void All_faults_are_named()
        => Assert.Equal(2, Faults("{\"types\": {\"Tasklet\": {\"RestoreIP\": -8, \"StackData\": \"x\"}}}").Length);

    [Fact]
    public void A_pointer_beyond_the_data_is_a_fault()
    {
        var error = Assert.Throws<LayoutException>(() => Parse("{\"globals\": {\"TaskletSentinel\": [2]}}", [0, 1]));
        Assert.Equal(["TaskletSentinel is entry 2 of pointer data, which has 2"], error.Faults);
    }

    [Fact]
    public void Two_mebibytes_are_too_much()
        => Assert.Equal(["the file is 2,097,152 bytes; a layout has at most 1 MiB"], Faults(new string(' ', 2 * 1024 * 1024)));

    [Fact]
    public void A_long_text_is_too_much()
        => Assert.Equal(["line 1, column 14: a text of 65,537 bytes; it has at most 64 KiB"], Faults($"{{\"globals\": {{\"{new string('x', 65537)}\": 1}}}}"));

    private static LayoutDescription Parse(string json, ulong[]? pointers = null)
        => DescriptionParser.Parse(Encoding.UTF8.GetBytes(json), new(LayoutSourceKind.File, "file my.json"), pointers);

    private static ImmutableArray<string> Faults(string json) => Assert.Throws<LayoutException>(() => Parse(json)).Faults;
}
