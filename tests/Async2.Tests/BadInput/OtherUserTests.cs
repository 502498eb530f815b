using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>Processes and files of somebody else. Needs root, who alone can become another user.</summary>
[Trait("Category", "Integration")]
public sealed class OtherUserTests : IDisposable
{
    private const string NotRoot = "only root can start a program as another user";
    private static readonly string[] AsNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

    private readonly TemporaryFolder _tool = new();

    public OtherUserTests()
    {
        _tool.OpenToEverybody();
        ToolRun.CopyTo(_tool.Path);
    }

    [Fact]
    public void Another_users_process_is_rejected()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        Outcome.IsRefusal(RunAsNobody(process.Pid.ToString()), 3, $"Process {process.Pid} may not be read: it belongs to another user (0)",
            $"sudo dotnet-async2 analyze {process.Pid}");
        Outcome.IsRefusal(RunAsNobody(process.Pid + " --freeze none"), 3, "belongs to another user", "SYS_PTRACE");
    }

    [Fact]
    public void Another_users_dump_is_rejected()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        string dump = _tool.PathOf("root.dmp");
        File.WriteAllText(dump, "secret");
        System.Diagnostics.Process.Start("chmod", ["600", dump]).WaitForExit();
        Outcome.IsRefusal(RunAsNobody(dump), 3, $"You may not read '{dump}'", $"sudo chmod a+r '{dump}'");
    }

    [Fact]
    public void Root_reads_anybodys_process()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using var program = new ScenarioCopy();
        using ScenarioProcess process = ScenarioProcess.Start(program.Build with { Host = [.. AsNobody, "dotnet"] }, ScenarioDump.Scenarios);
        Assert.StartsWith("65534", ProcessFacts.Status(process.Pid, "Uid"), StringComparison.Ordinal);
        ToolRun run = ToolRun.Of(process.Pid.ToString());
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.StartsWith("4 stacks suspended", run.Output, StringComparison.Ordinal);
        ProcessFacts.WaitUntil(() => !ProcessFacts.ThreadStates(process.Pid).Contains('t'), "the process runs on");
    }

    [Fact]
    public void Root_does_not_load_a_library_beside_any_users_runtime()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using var program = new ScenarioCopy();
        using var runtime = new RuntimeCopy();
        using ScenarioProcess process = ScenarioProcess.Start(program.Build with { Host = [.. AsNobody, runtime.Host] }, ScenarioDump.Scenarios);
        Outcome.IsRefusal(ToolRun.Of(process.Pid.ToString()), 3, "has not the rights of the user of this tool", "--dac");
    }

    [Fact]
    public void A_dump_to_a_folder_that_the_process_cannot_write_is_rejected_with_another_folder()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using var program = new ScenarioCopy();
        using var closed = new TemporaryFolder();
        using ScenarioProcess process = ScenarioProcess.Start(program.Build with { Host = [.. AsNobody, "dotnet"] }, ScenarioDump.Scenarios);
        ToolRun run = ToolRun.Of("dump", "collect", process.Pid.ToString(), "-o", closed.PathOf("scenarios.dmp"));
        Outcome.IsRefusal(run, 3, $"its user (65534) may not write to {closed.Path}", "-o /tmp/scenarios.dmp");
        Assert.Empty(Directory.EnumerateFileSystemEntries(closed.Path));
        Assert.DoesNotContain("\\u000a", run.Error, StringComparison.Ordinal);
    }

    public void Dispose() => _tool.Dispose();

    private ToolRun RunAsNobody(string arguments)
        => ToolRun.Shell($"{string.Join(' ', AsNobody)} env HOME=/nonexistent {(ToolRun.Native is null ? "dotnet " : "")}{_tool.PathOf(Path.GetFileName(ToolRun.Program))} {arguments}");
}
