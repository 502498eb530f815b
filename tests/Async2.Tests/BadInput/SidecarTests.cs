using System.Runtime.Versioning;
using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>The tool in namespaces and groups that are not the target's: rootless containers, sidecars, little memory.</summary>
[Trait("Category", "Integration")]
[SupportedOSPlatform("linux")]
public sealed class SidecarTests
{
    private const string NotRoot = "only root can start a program in namespaces or groups of its own";

    [Fact]
    public void A_rootless_container_is_read_from_outside_and_from_inside()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using var container = new Container(ownBuild: false) { IsRootless = true };
        using ScenarioProcess process = container.Start("blocked");
        Assert.StartsWith("65534", ProcessFacts.Status(process.Pid, "Uid"), StringComparison.Ordinal);
        Assert.EndsWith("\t1", ProcessFacts.Status(process.Pid, "NSpid"), StringComparison.Ordinal);
        string tool = $"env HOME=/nonexistent {container.OutsideTool} ", nobody = string.Join(' ', Container.AsNobody) + " " + tool;
        string inside = $"nsenter -t {process.Pid} --user --pid --mount --root --wd --setuid 0 --setgid 0 env HOME=/nonexistent {Container.InsideTool} ";
        foreach ((string run, int pid) in (ReadOnlySpan<(string, int)>)[($"$TOOL ", process.Pid), (nobody, process.Pid), (inside, 1)])
        {
            Outcome.IsWhole(ToolRun.Shell($"{run}{pid} --all --format json"), "blocked", 8);
            Assert.DoesNotMatch("\n(fail|warn)", ToolRun.Shell($"{run}doctor {pid}").Output);
        }
    }

    [Fact]
    public void In_a_rootless_container_files_of_unmapped_owners_are_not_trusted_and_the_reason_is_reported()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using var container = new Container(ownBuild: false) { IsRootless = true };
        // Without a root folder of its own: all files are of the machine's root, who has no number there.
        using ScenarioProcess process = ScenarioProcess.Start(new ScenarioBuild(container.OutsideProgram)
        {
            Host = [.. Container.AsNobody, "unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc", "dotnet"],
        }, ["blocked"]);
        string inside = $"nsenter -t {process.Pid} --user --pid --mount --setuid 0 --setgid 0 env HOME=/nonexistent {container.OutsideTool} 1";
        Outcome.IsRefusal(ToolRun.Shell(inside), 3, "a user without a number in this user namespace (a rootless container)", "--dac /");
    }

    [Fact]
    public void If_proc_is_of_another_pid_namespace_nothing_is_stopped_and_the_reason_is_reported()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["blocked"]);
        const string sidecar = "unshare --pid --fork --kill-child $TOOL ";
        foreach (string arguments in (string[])[$"{process.Pid}", $"{process.Pid} --freeze none", "ps"])
            Outcome.IsRefusal(ToolRun.Shell(sidecar + arguments), 3, "/proc shows another pid namespace", "--pid=container:NAME");
        ToolRun doctor = ToolRun.Shell(sidecar + "doctor " + process.Pid);
        Assert.Equal(3, doctor.ExitCode);
        Assert.Matches(@"\nfail +ptrace .*another pid namespace", doctor.Output);
        Assert.Matches(@"\nfail +target .*another pid namespace", doctor.Output);
    }

    [Theory]
    [InlineData(300, "copy", true)]
    [InlineData(900, "copy", false)]
    [InlineData(300, "brief", false)]
    public void A_process_is_copied_only_where_the_tools_group_has_room_for_it(int megabytes, string freeze, bool isTooBig)
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using var group = MemoryGroup.TryMake(megabytes * 1_000_000L);
        Assert.SkipUnless(group is not null, "this machine has no control groups for memory");
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["big", "200"]);
        JsonElement answer = Outcome.Json(group.Run($"{process.Pid} --format json --freeze {freeze}"), 0);
        Assert.Equal("WaitAsync", Assert.Single(answer.GetProperty("stacks").EnumerateArray()).GetProperty("frames")[0].GetProperty("name").GetString());
        // A heap of that size is not searched for waits without an end, which is said, too.
        string[] said = [.. answer.GetProperty("problems").EnumerateArray().Where(problem => problem.GetProperty("code").GetString() != ProblemCodes.ReachUnknown).Select(problem => problem.GetProperty("text").GetString()!)];
        if (isTooBig)
            Assert.Matches(@"more memory than the \d+ MB that a copy may take here .*, so it was stopped for the whole analysis", Assert.Single(said));
        else
            Assert.Empty(said);
        // The copy is in the one and not in the others.
        Assert.Equal(isTooBig || freeze == "brief", group.Most < 200 << 20);
        Assert.True(group.Most <= megabytes * 1_000_000L);
    }
}
