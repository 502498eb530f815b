using System.Diagnostics;
using System.Text.Json;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Dumps;
using Async2.Dump.Commands;
using Async2.Dump.Samples;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>Dumps: written, checked, read.</summary>
[Collection(ToolCollection.Name)]
[System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
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

    [Theory]
    [InlineData("/dev/null", 'c')]
    [InlineData("/dev/full", 'c')]
    [InlineData("PIPE", 'p')]
    public void Only_files_are_replaced_by_a_dump(string path, char kind)
    {
        using var folder = new TemporaryFolder();
        path = path == "PIPE" ? folder.PathOf("pipe") : path;
        ToolRun.Shell($"test -e {path} || mkfifo {path}");
        ToolRun run = ToolRun.Of("dump", "collect", sample.PidText, "--force", "-o", path);
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.Contains($"{path} is not a file on a disk", run.Error);
        Assert.Equal(0, ToolRun.Shell($"test -{kind} {path}").ExitCode);
    }

    [Fact]
    public void A_link_and_a_mode_are_kept()
    {
        const UnixFileMode mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead;
        using var folder = new TemporaryFolder();
        string file = folder.PathOf("real.dmp"), link = folder.PathOf("link.dmp");
        File.WriteAllText(file, "old");
        File.SetUnixFileMode(file, mode);
        File.CreateSymbolicLink(link, "real.dmp");
        ToolRun run = ToolRun.Of("dump", "collect", sample.PidText, "--force", "-o", link);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Equal(("real.dmp", mode), (new FileInfo(link).LinkTarget, File.GetUnixFileMode(file)));
        Assert.True(new FileInfo(file).Length > 1_000_000);
    }

    [Fact]
    public void A_process_that_does_not_answer_does_not_block()
    {
        using var folder = new TemporaryFolder();
        using SampleProcess stopped = SampleProcess.Start();
        ProcessFacts.Signal(stopped.Id, "STOP");
        string file = folder.PathOf("a.dmp");
        TargetException failed = Assert.Throws<TargetException>(() => DumpWriter.Write(stopped.Id, file, TimeSpan.FromSeconds(1), null, CancellationToken.None));
        Assert.Contains("wrote nothing for 1 seconds: it is stopped", failed.Message);
        Assert.Contains($"kill -CONT {stopped.Id}", failed.Fix);
        Assert.Contains($"gcore -o {file} {stopped.Id}", failed.Fix);

        Process tool = ToolRun.Start("dump", "collect", stopped.Id.ToString(), "-o", file);
        ProcessFacts.WaitUntil(() => ProcessFacts.Children(tool.Id).Length > 0, "a reader asks");
        Thread.Sleep(TimeSpan.FromSeconds(1));
        ProcessFacts.Signal(tool.Id, "TERM");
        ToolRun run = ToolRun.Finish(tool);
        Assert.Equal((130, ""), (run.ExitCode, run.Output));
        Assert.Empty(Directory.GetFiles(folder.Path));
        ProcessFacts.Signal(stopped.Id, "CONT");
    }

    [Fact]
    public void The_default_name_has_process_and_time()
        => Assert.Equal("dotnet-async2_42_20261121_040506.dmp", DumpCollectCommand.DefaultName(42, new DateTime(2026, 11, 21, 4, 5, 6, DateTimeKind.Utc)));

    [Fact]
    public void A_process_without_diagnostics_is_explained()
    {
        using ScenarioProcess silent = ScenarioProcess.StartYoung(ScenarioBuild.Release, ["--only", "TaskDelay"], ("DOTNET_EnableDiagnostics", "0"));
        ToolRun run = ToolRun.Of("dump", "collect", silent.Pid.ToString());
        Assert.Equal((3, ""), (run.ExitCode, run.Output));
        Assert.Contains("DOTNET_EnableDiagnostics=0", run.Error);
    }
}
