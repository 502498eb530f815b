using System.Diagnostics;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>The first thing a newcomer runs.</summary>
[Collection(ToolCollection.Name)]
public sealed class DemoTests
{
    [Fact]
    public void Live_and_dump_agree_and_everything_is_cleaned_up()
    {
        using var folder = new TemporaryFolder();
        ToolRun run = ToolRun.With("TMPDIR", folder.Path, "demo");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains("\nboth agree: live 410 stacks, dump 410 stacks\n", run.Output);
        Assert.Contains("Try next:", run.Output);
        Assert.False(Directory.Exists($"/proc/{SamplePid(run.Output)}"));
        Assert.Empty(Directory.GetFileSystemEntries(folder.Path, "async2-demo-*"));
    }

    [Fact]
    public void After_an_interrupt_it_exits_with_130_and_cleans_up()
    {
        using var folder = new TemporaryFolder();
        Process demo = ToolRun.Start([("TMPDIR", folder.Path)], "demo");
        string before = "";
        while (!before.Contains("2. Live"))
            before += demo.StandardOutput.ReadLine() + "\n";
        Process.Start("kill", ["-INT", demo.Id.ToString()]).WaitForExit();
        ToolRun run = ToolRun.Finish(demo);
        Assert.Equal(130, run.ExitCode);
        Assert.Contains("interrupted; the sample was stopped and its dump deleted", run.Error);
        Assert.DoesNotContain("Try next", run.Output);
        Assert.False(Directory.Exists($"/proc/{SamplePid(before)}"));
        Assert.Empty(Directory.GetFileSystemEntries(folder.Path, "async2-demo-*"));
    }

    private static string SamplePid(string output) => output.Split("2. Live: dotnet-async2 ")[1].Split('\n')[0].Trim();
}
