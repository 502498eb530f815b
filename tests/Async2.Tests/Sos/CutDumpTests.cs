using System.Text.Json;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Sos;

/// <summary>Dumps that lack something: what the plugin makes of them is what the tool makes of them.</summary>
[Trait("Category", "Integration")]
[Collection(DumpCollection.Name)]
public sealed class CutDumpTests(ScenarioDump dump)
{
    /// <summary>dotnet-dump knows the path of its dump; SOS in lldb does not, but has it open.</summary>
    public static TheoryData<bool> Hosts => [false, true];

    [Theory]
    [MemberData(nameof(Hosts))]
    public void A_truncated_dump_is_not_called_complete(bool isLldb)
    {
        string cut = Cut(length => length - 1);
        ToolRun own = ToolRun.Of(cut, "--all", "--format", "json");
        Assert.Equal(4, own.ExitCode);
        string[] said = new SosHost { IsLldb = isLldb }.Run(cut, "dumpasync2", "dumpasync2 --json");
        Assert.StartsWith("at least 4 stacks suspended", said[1]);
        Assert.Contains("A2D3004  the dump is truncated: it has ", said[1]);
        using var answer = JsonDocument.Parse(said[2]);
        Assert.False(answer.RootElement.GetProperty("complete").GetBoolean());
        Assert.Equal(JsonDocument.Parse(own.Output).RootElement.GetProperty("problems").GetRawText(), answer.RootElement.GetProperty("problems").GetRawText());
    }

    [Theory]
    [MemberData(nameof(Hosts))]
    public void A_dump_without_the_runtime_is_not_a_native_program(bool isLldb)
    {
        string text = new SosHost { IsLldb = isLldb, LacksDac = true }.Run(Cut(length => length - 1), "dumpasync2");
        Assert.Matches("^ERROR: the dump is truncated: it has [^\n]* and the .NET runtime cannot be read without the rest; copy the whole dump again[^\n]*\n$", text);
    }

    private string Cut(Func<long, long> length)
    {
        string cut = dump.Copy();
        using FileStream file = File.OpenWrite(cut);
        file.SetLength(length(file.Length));
        return cut;
    }
}
