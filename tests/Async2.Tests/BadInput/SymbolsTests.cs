using System.Text.Json;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>Source lines need the PDB of exactly the build that runs: without it methods are still known, and no line is made up.</summary>
[Trait("Category", "Integration")]
public sealed class SymbolsTests : IDisposable
{
    private const string Module = "Scenarios.dll";
    private const string Missing = "A2D2003";
    private const string Mismatched = "A2D2004";

    private readonly ScenarioCopy _copy = new();

    [Fact]
    public void Without_a_pdb_methods_are_known_and_lines_are_not()
    {
        File.Delete(_copy.Pdb);
        using ScenarioProcess process = Start();
        JsonElement answer = Answer(process.Pid.ToString());
        Assert.False(Outcome.HasLines(answer, Module));
        Assert.Equal([Missing], Outcome.ProblemCodes(answer));
        Assert.Contains("PackAsync", Methods(answer));
        Assert.True(Outcome.HasLines(Answer(process.Pid.ToString(), "--symbols", ScenarioCopy.Symbols), Module));
        Assert.Contains("no PDB for Scenarios.dll, so its frames have no lines: add --symbols DIR", ToolRun.Of(process.Pid.ToString()).Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_pdb_of_another_build_gives_no_lines()
    {
        _copy.ChangePdbId();
        using ScenarioProcess process = Start();
        JsonElement answer = Answer(process.Pid.ToString());
        Assert.False(Outcome.HasLines(answer, Module));
        Assert.Equal([Mismatched], Outcome.ProblemCodes(answer));
        Assert.Contains(_copy.Pdb, answer.GetProperty("problems")[0].GetProperty("text").GetString()!, StringComparison.Ordinal);

        JsonElement repaired = Answer(process.Pid.ToString(), "--symbols", ScenarioCopy.Symbols);
        Assert.True(Outcome.HasLines(repaired, Module));
        Assert.Empty(Outcome.ProblemCodes(repaired));
    }

    [Fact]
    public void A_dll_that_was_updated_while_the_program_ran_gives_no_lines()
    {
        using ScenarioProcess process = Start();
        _copy.ChangeBuild();
        JsonElement answer = Answer(process.Pid.ToString());
        Assert.False(Outcome.HasLines(answer, Module));
        Assert.Equal([Mismatched], Outcome.ProblemCodes(answer));
        Assert.Contains("PackAsync", Methods(answer));
        Assert.True(Outcome.HasLines(Answer(process.Pid.ToString(), "--symbols", ScenarioCopy.Symbols), Module));
    }

    [Fact]
    public void A_dump_of_a_deleted_program_has_names_and_can_have_lines()
    {
        using (ScenarioProcess process = Start())
            ProgramDump.Write(process.Pid, _copy.Dump);
        File.Delete(_copy.Dll);
        File.Delete(_copy.Pdb);
        JsonElement answer = Answer(_copy.Dump);
        Assert.False(Outcome.HasLines(answer, Module));
        Assert.Equal([Missing], Outcome.ProblemCodes(answer));
        Assert.Contains("PackAsync", Methods(answer));
        Assert.True(Outcome.HasLines(Answer(_copy.Dump, "--symbols", ScenarioCopy.Symbols), Module));
    }

    [Theory]
    [InlineData("/no/such/folder", "there is no folder '/no/such/folder' (given as --symbols)")]
    [InlineData("/bin/true", "--symbols needs a folder, but '/bin/true' is a file")]
    public void A_file_given_as_symbol_folder_is_wrong_usage(string folder, string message)
        => Outcome.IsRefusal(ToolRun.Of("1", "--symbols", folder), 2, message, "type --symbols and the folder");

    [Fact]
    public void A_file_for_the_answer_in_no_folder_is_wrong_usage()
        => Outcome.IsRefusal(ToolRun.Of("1", "-o", "/no/such/folder/answer.txt"), 2, "the folder /no/such/folder does not exist", "type mkdir -p /no/such/folder");

    public void Dispose() => _copy.Dispose();

    private ScenarioProcess Start() => ScenarioProcess.Start(_copy.Build, ScenarioDump.Scenarios);

    private static JsonElement Answer(params string[] arguments) => Outcome.Json(ToolRun.Of([.. arguments, "--format", "json"]), 0);

    private static IEnumerable<string?> Methods(JsonElement answer) => answer.GetProperty("stacks").EnumerateArray()
        .SelectMany(stack => stack.GetProperty("frames").EnumerateArray())
        .Select(frame => frame.GetProperty("name").GetString());
}
