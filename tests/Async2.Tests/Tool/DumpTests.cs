using System.Text.Json;
using Async2.Dump.Commands;
using Async2.Dump.Samples;
using Async2.Tests.Support;

namespace Async2.Tests.Tool;

/// <summary>Dumps: written, checked, read.</summary>
[Collection(ToolCollection.Name)]
public sealed class DumpTests(RunningSample sample)
{
    [Fact]
    public void Collected_checked_and_analyzed()
    {
        using var folder = new TemporaryFolder();
        string file = folder.PathOf("shop.dmp");
        ToolRun run = ToolRun.Of("dump", "collect", sample.PidText, "-o", file);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Matches($@"^{file}\n\d+ MB, 410 stacks in it, readable to the end\nnext: dotnet-async2 {file}\n$", run.Output);
        Assert.Equal([file], Directory.GetFiles(folder.Path));

        ToolRun again = ToolRun.Of("dump", "collect", sample.PidText, "-o", file);
        Assert.Equal((2, ""), (again.ExitCode, again.Output));
        Assert.Contains("--force", again.Error);

        JsonElement root = JsonDocument.Parse(ToolRun.Of("dump", "analyze", file, "--format", "json").Output).RootElement;
        Assert.Equal("dump", root.GetProperty("target").GetProperty("kind").GetString());
        Assert.Equal(410, root.GetProperty("totals").GetProperty("stacks").GetInt32());
        Assert.Contains("PaymentGateway.cs", root.GetProperty("stacks")[0].GetProperty("frames")[0].GetProperty("file").GetString());
    }

    [Fact]
    public void A_failed_collection_keeps_the_old_file()
    {
        using var folder = new TemporaryFolder();
        string file = folder.PathOf("old.dmp");
        File.WriteAllText(file, "precious");
        ToolRun run = ToolRun.Of("dump", "collect", "1", "--force", "-o", file);
        Assert.Equal(3, run.ExitCode);
        Assert.Equal("precious", File.ReadAllText(file));
    }

    [Fact]
    public void The_default_name_tells_whose_and_when()
        => Assert.Equal("dotnet-async2_42_20261121_040506.dmp", DumpCollectCommand.DefaultName(42, new DateTime(2026, 11, 21, 4, 5, 6, DateTimeKind.Utc)));

    [Fact]
    public void A_process_without_diagnostics_is_explained()
    {
        Environment.SetEnvironmentVariable("DOTNET_EnableDiagnostics", "0");
        try
        {
            using SampleProcess silent = SampleProcess.Start();
            Environment.SetEnvironmentVariable("DOTNET_EnableDiagnostics", null);
            ToolRun run = ToolRun.Of("dump", "collect", silent.Id.ToString());
            Assert.Equal((3, ""), (run.ExitCode, run.Output));
            Assert.Contains("DOTNET_EnableDiagnostics=0", run.Error);
        }
        finally
        {
            Environment.SetEnvironmentVariable("DOTNET_EnableDiagnostics", null);
        }
    }
}
