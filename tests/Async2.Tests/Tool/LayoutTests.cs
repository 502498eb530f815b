using System.Text.Json;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>Layouts through the real tool: what is fine is shown, and what is wrong is exit code 2 and a sentence, before a target is touched.</summary>
[Collection(ToolCollection.Name)]
public sealed class LayoutTests(RunningSample sample) : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public static TheoryData<string, string> WrongFiles => new()
    {
        { "{\"baseline\":\"async2/unwinder-v4\",\"types\":{\"Tasklet\":{\"RestoreIP\":null}}}", "Tasklet.RestoreIP is not described, and contract Async2Tasklets 1 needs it" },
        { "{\"baseline\":\"async2/unwinder-v4\",\"types\":{\"Tasklet\":{\"RestoreIP\":40,\"StackDataInfo\":[44,\"pointer\"],\"ReturnType\":null}}}", "Tasklet.RestoreIP and Tasklet.StackDataInfo overlap (40..48 and 44..52)" },
        { "{\"baseline\":\"layout.json\"}", "baseline \"layout.json\" refers to itself" },
        { "", "line 1, column 1: it is not JSON" },
        { new string(' ', 2 * 1024 * 1024), "the file is 2,097,152 bytes; a layout has at most 1 MiB" },
        { "{\"contracts\":{\"Async2Tasklets\":7}}", "contract Async2Tasklets 7 is not understood (1, 2, 3 are)" },
        { "{\"types\":{\"Tasklet\":{\"RestoreIP\":1e99}}}", "Tasklet.RestoreIP is 1e99; an offset is a number from 0 to 1,023" },
    };

    [Theory]
    [MemberData(nameof(WrongFiles))]
    public void A_wrong_file_is_rejected_with_a_reason(string json, string fault)
    {
        string file = Write(json);
        ToolRun verified = ToolRun.Of("layout", "verify", file);
        Assert.Equal((2, ""), (verified.ExitCode, verified.Error));
        Assert.Matches(@"layout\.json has \d+ faults?\n", verified.Output);
        Assert.Contains("- " + fault, verified.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Outcome.IsRefusal(ToolRun.Of("analyze", "1", "--layout", file), 2, fault, "dotnet-async2 layout verify FILE");
    }

    [Fact]
    public void A_valid_file_says_what_it_describes()
    {
        ToolRun run = ToolRun.Of("layout", "verify", Write("{\"baseline\":\"async2/unwinder-v4\",\"types\":{\"Tasklet\":{\"ReturnType\":null},\"Thread\":{}}}"));
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        string text = run.Output.ReplaceLineEndings(" ");
        Assert.Contains("layout.json is fine it describes tasklets, the outermost of each stack in the live list (Async2Tasklets 1)", text, StringComparison.Ordinal);
        Assert.Contains("without, which may be: Tasklet.ReturnType", text, StringComparison.Ordinal);
        Assert.Contains("not read, because no contract has it: type Thread", text, StringComparison.Ordinal);
        Assert.Matches(@"field +Tasklet\.RestoreIP +32 pointer +built in async2/unwinder-v4", text);
    }

    [Theory]
    [InlineData("there is no file '/no/such/file'", "layout", "verify", "/no/such/file")]
    [InlineData("there is no file '/no/such/file' (given as --layout)", "1", "--layout", "/no/such/file")]
    [InlineData("--layout needs a file, but '/' is a folder", "layout", "show", "1", "--layout", "/")]
    public void A_missing_file_is_wrong_usage(string message, params string[] arguments)
        => Outcome.IsRefusal(ToolRun.Of(arguments), 2, message, "and the path of a description");

    [Fact]
    public void A_target_shows_facts_from_metadata_and_files()
    {
        string pid = sample.PidText;
        JsonElement plain = Outcome.Json(ToolRun.Of("layout", "show", pid, "--format", "json"), 0);
        Assert.Equal(("1", "metadata"), Fact(plain, "Async2Continuations"));
        Assert.Equal(("32", "metadata"), Fact(plain, "ContinuationObject.Resume"));
        Assert.Empty(plain.GetProperty("problems").EnumerateArray());

        string file = Write("{\"types\":{\"ContinuationObject\":{\"Resume\":48}},\"globals\":{\"TaskletSentinel\":{\"symbol\":\"nobody\",\"module\":\"coreclr\"}}}");
        JsonElement told = Outcome.Json(ToolRun.Of("layout", "show", pid, "--layout", file, "--format", "json"), 0);
        Assert.Equal(("48", "file " + file), Fact(told, "ContinuationObject.Resume"));
        Assert.Equal(("40", "metadata"), Fact(told, "ContinuationObject.State"));
        Assert.Equal(["A2D1008", "A2D1008"], told.GetProperty("problems").EnumerateArray().Select(problem => problem.GetProperty("code").GetString()));
        Assert.Contains("libcoreclr.so exports no nobody", told.ToString(), StringComparison.Ordinal);

        string found = Write("{\"globals\":{\"TaskletSentinel\":{\"symbol\":\"g_dacTable\",\"module\":\"coreclr\"}}}");
        Assert.Matches("^0x7[0-9a-f]+ [(]g_dacTable in coreclr[)]$", Fact(Outcome.Json(ToolRun.Of("layout", "show", pid, "--layout", found, "--format", "json"), 0), "TaskletSentinel").Value);
    }

    [Fact]
    public void An_analysis_says_where_a_file_and_metadata_differ()
    {
        string file = Write("{\"types\":{\"ContinuationObject\":{\"Flags\":40,\"State\":44}}}");
        // No method stores such states: what a wrong layout reads is damage, and the answer says so.
        JsonElement answer = Outcome.Json(ToolRun.Of(sample.PidText, "--layout", file, "--format", "json"), 4);
        Assert.Contains(answer.GetProperty("problems").EnumerateArray(), problem => problem.GetProperty("code").GetString() == "A2D1015");
        Assert.Contains(answer.GetProperty("problems").EnumerateArray(), problem => problem.GetProperty("code").GetString() == "A2D1008"
            && problem.GetProperty("text").GetString() == $"ContinuationObject.State is at 44 by layout file {file}, which is used, and at 40 by the target's metadata");
    }

    [Theory]
    [InlineData("\"arch\":\"mips\"", "it is for mips, and the target is ")]
    [InlineData("\"os\":\"plan9\"", "it is for plan9, and the target is linux")]
    [InlineData("\"module\":\"coreclr\",\"buildId\":\"abcd\"", "it is for build abcd of coreclr, and the target has ")]
    [InlineData("\"module\":\"nothing\",\"buildId\":\"abcd\"", "it is for nothing, which the target has not loaded")]
    public void A_file_for_another_target_is_rejected(string target, string message)
    {
        string file = Write($"{{\"target\":{{{target}}},\"baseline\":\"net10\"}}");
        Outcome.IsRefusal(ToolRun.Of(sample.PidText, "--layout", file), 2, message, "give the layout of the target's own build");
    }

    public void Dispose() => _folder.Dispose();

    private static (string? Value, string? Source) Fact(JsonElement answer, string name)
    {
        JsonElement fact = answer.GetProperty("facts").EnumerateArray().Single(fact => fact.GetProperty("name").GetString() == name);
        return (fact.GetProperty("value").GetString(), fact.GetProperty("source").GetString());
    }

    private string Write(string json)
    {
        File.WriteAllText(_folder.PathOf("layout.json"), json);
        return _folder.PathOf("layout.json");
    }
}
