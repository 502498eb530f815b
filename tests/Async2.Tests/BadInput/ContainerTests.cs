using System.Runtime.Versioning;
using System.Text.Json;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>Targets in namespaces of their own, as in containers, seen from outside: everything is there that is there from inside.</summary>
[Trait("Category", "Integration")]
[SupportedOSPlatform("linux")]
public sealed class ContainerTests
{
    private const string NotRoot = "only root can start a program in namespaces of its own";
    private static readonly string[] InPidNamespace = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];

    [Theory]
    [InlineData("brief")]
    [InlineData("full")]
    public void Threads_of_a_process_in_a_pid_namespace_are_seen_from_outside(string freeze)
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using ScenarioProcess outside = ScenarioProcess.Start(ScenarioBuild.Situations with { Host = [.. InPidNamespace, "dotnet"] }, ["blocked"]);
        Assert.NotEqual("1", outside.Pid.ToString());
        using ScenarioProcess plain = ScenarioProcess.Start(ScenarioBuild.Situations, ["blocked"]);
        Assert.Equal(States(plain, freeze), States(outside, freeze));
        Assert.Contains("blocked", States(outside, freeze));
    }

    [Fact]
    public void Modules_and_symbols_of_another_root_folder_are_found_there()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using var program = new ScenarioCopy();
        using var hidden = new TemporaryFolder();
        // Over there the program is where nothing is here.
        string folder = Path.GetDirectoryName(program.Dll)!;
        using ScenarioProcess process = ScenarioProcess.Start(new ScenarioBuild(hidden.PathOf("Scenarios.dll"))
        {
            Host = ["unshare", "--mount", "--propagation", "private", "sh", "-c", $"mount --bind {folder} {hidden.Path} && exec \"$@\"", "sh", "dotnet"],
        }, ScenarioDump.Scenarios);
        JsonElement answer = Outcome.Json(ToolRun.Of(process.Pid.ToString(), "--format", "json"), 0);
        Assert.All(answer.GetProperty("stacks").EnumerateArray().SelectMany(stack => stack.GetProperty("frames").EnumerateArray()), frame => Assert.True(frame.TryGetProperty("line", out _)));
        Assert.Empty(answer.GetProperty("problems").EnumerateArray());
    }

    [Fact]
    public void A_runtime_whose_files_were_replaced_is_read_with_the_same_build_installed_elsewhere()
    {
        using var program = new ScenarioCopy();
        using var runtime = new RuntimeCopy(ownBuild: false);
        using ScenarioProcess process = ScenarioProcess.Start(program.Build with { Host = [runtime.Host] }, ScenarioDump.Scenarios);
        Replace(runtime);
        JsonElement answer = Outcome.Json(ToolRun.Of(process.Pid.ToString(), "--format", "json"), 0);
        Assert.Equal(4, answer.GetProperty("totals").GetProperty("stacks").GetInt32());
        Assert.Equal("A2D3010", Assert.Single(answer.GetProperty("problems").EnumerateArray()).GetProperty("code").GetString());
        Assert.Matches($@"\n *{process.Pid} +Scenarios +\d+\.\d+\.\d+ ", ToolRun.Of("ps").Output);
    }

    [Fact]
    public void A_runtime_whose_files_were_replaced_and_that_is_not_installed_elsewhere_is_reported()
    {
        using var program = new ScenarioCopy();
        using var runtime = new RuntimeCopy();
        using ScenarioProcess process = ScenarioProcess.Start(program.Build with { Host = [runtime.Host] }, ScenarioDump.Scenarios);
        Replace(runtime);
        Outcome.IsRefusal(ToolRun.Of(process.Pid.ToString()), 3, "were removed or replaced since it started", "--dac");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_container_with_a_runtime_of_its_own_is_read_like_any_process(bool ownBuild)
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using var container = new Container(ownBuild);
        using ScenarioProcess process = container.Start("blocked");
        Assert.Equal(Enumerable.Repeat("blocked", 8), States(process, "brief"));
        ToolRun doctor = ToolRun.Of("doctor", process.Pid.ToString());
        Assert.Equal((0, ""), (doctor.ExitCode, doctor.Error));
        Assert.DoesNotMatch("\n(fail|warn)", doctor.Output);
        Assert.Contains(ownBuild ? $"found: /proc/{process.Pid}/root/opt/net/" : "found: /usr/", doctor.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
    }

    [Fact]
    public void A_dump_of_a_container_is_copied_out()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using var container = new Container(ownBuild: false);
        using var here = new TemporaryFolder();
        using ScenarioProcess process = container.Start("blocked");
        ToolRun run = ToolRun.Of("dump", "collect", process.Pid.ToString(), "-o", here.PathOf("container.dmp"));
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains("8 stacks in it", run.Output, StringComparison.Ordinal);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(here.PathOf("container.dmp")));
        Assert.Equal(["container.dmp"], Directory.EnumerateFiles(here.Path).Select(Path.GetFileName));
        Assert.DoesNotContain(Directory.EnumerateFiles($"/proc/{process.Pid}/root/tmp"), file => file.EndsWith(".dmp", StringComparison.Ordinal));
    }

    [Fact]
    public void Without_the_capability_the_message_for_root_names_it()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        const string less = "setpriv --bounding-set -sys_ptrace --inh-caps -sys_ptrace $TOOL ";
        ToolRun run = ToolRun.Shell(less + process.Pid);
        Outcome.IsRefusal(run, 3, "CAP_SYS_PTRACE is missing", "--cap-add SYS_PTRACE");
        Assert.DoesNotContain("sudo", run.Error, StringComparison.Ordinal);
        // All checks give the same reason.
        ToolRun doctor = ToolRun.Shell(less + "doctor " + process.Pid);
        Assert.Equal(3, System.Text.RegularExpressions.Regex.Count(doctor.Output, @"\nfail +(ptrace|dac|target) .*CAP_SYS_PTRACE is missing"));
    }

    [Theory]
    [InlineData(1, "ptrace")]
    [InlineData(2, "process_vm_readv as well")]
    public void If_a_seccomp_filter_forbids_ptrace_the_process_is_read_while_it_runs(int filter, string what)
    {
        using var program = new CallFilter();
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        JsonElement answer = Outcome.Json(ToolRun.Shell($"{program.File} {filter} $TOOL {process.Pid} --format json"), 0);
        Assert.True(answer.GetProperty("totals").GetProperty("stacks").GetInt32() == 4, what);
        JsonElement problem = Assert.Single(answer.GetProperty("problems").EnumerateArray());
        Assert.Contains("seccomp", problem.GetProperty("text").GetString(), StringComparison.Ordinal);
        Assert.Matches(@"\nfail +ptrace .*seccomp", ToolRun.Shell($"{program.File} {filter} $TOOL doctor {process.Pid}").Output);
    }

    // As a package does it: another file takes the name.
    private static void Replace(RuntimeCopy runtime)
    {
        foreach (string name in (string[])["libcoreclr.so", "libmscordaccore.so"])
        {
            File.WriteAllText(Path.Join(runtime.Folder, "new"), "another build");
            File.Move(Path.Join(runtime.Folder, "new"), Path.Join(runtime.Folder, name), overwrite: true);
        }
    }

    private static string[] States(ScenarioProcess process, string freeze)
    {
        JsonElement answer = Outcome.Json(ToolRun.Of(process.Pid.ToString(), "--format", "json", "--all", "--freeze", freeze), 0);
        Assert.Empty(answer.GetProperty("problems").EnumerateArray());
        return [.. answer.GetProperty("stacks").EnumerateArray().Select(stack => stack.GetProperty("state").GetString()!).Order(StringComparer.Ordinal)];
    }
}
