using System.Diagnostics;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>
/// Attacks on a tool that root runs: somebody brings about that it loads a library of his. All need root, and namespaces of their own;
/// each fails to get its library loaded, and the first shows that the library would tell.
/// </summary>
[Trait("Category", "Integration")]
public sealed class PlantedCodeTests : IDisposable
{
    private const string Nobody = "65534";
    private const string NotRoot = "only root can start a program as another user, and in a namespace of its own";
    private static readonly string[] AsNobody = ["setpriv", "--reuid=" + Nobody, "--regid=" + Nobody, "--clear-groups"];

    private readonly PlantedLibrary _planted = new();
    private readonly ScenarioCopy _program = new();

    public PlantedCodeTests() => Assert.SkipUnless(ProcessFacts.IsRoot, NotRoot);

    [Fact]
    public void The_library_is_missing_until_it_is_loaded()
    {
        using ScenarioProcess process = Start("dotnet");
        Assert.Equal(3, ToolRun.Of(process.Pid.ToString(), "--dac", _planted.File).ExitCode);
        Assert.True(_planted.WasLoaded);
    }

    [Fact]
    public void A_library_beside_the_runtime_of_an_unprivileged_process_is_not_loaded()
    {
        using RuntimeCopy runtime = Planted();
        Give(runtime.Root);
        using ScenarioProcess process = Start([.. AsNobody, runtime.Host]);
        Refuses(process, "has not the rights of the user of this tool");
    }

    // What an exec race would win: the process is root's by now, and its memory names a folder of somebody else.
    [Fact]
    public void A_library_in_another_users_folder_is_not_loaded_even_for_a_process_of_root()
    {
        using RuntimeCopy runtime = Planted();
        Give(runtime.Root);
        using ScenarioProcess process = Start(runtime.Host);
        Refuses(process, $"'{runtime.Root}' belongs to another user ({Nobody})");
    }

    [Fact]
    public void A_library_of_another_build_than_the_runtime_in_memory_is_not_loaded()
    {
        using RuntimeCopy runtime = Planted();
        using ScenarioProcess process = Start(runtime.Host);
        File.Copy(Path.Join(Path.GetDirectoryName(typeof(object).Assembly.Location), "libcoreclr.so"), runtime.Folder + "/new");
        File.Move(runtime.Folder + "/new", runtime.Folder + "/libcoreclr.so", overwrite: true);
        Refuses(process, "were removed or replaced since it started");
    }

    [Fact]
    public void A_process_that_becomes_a_setuid_program_while_it_is_read_is_not_treated_as_roots()
    {
        using var folder = new TemporaryFolder();
        string setuid = Setuid(folder);
        using var shell = Process.Start(new ProcessStartInfo("setpriv", [.. AsNobody[1..], "sh", "-c", $"echo ready; read go; exec {setuid} 60"]) { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        // Not its name: the kernel sets that before it has put up the stack of the new program.
        Assert.Equal("ready", shell.StandardOutput.ReadLine());
        using ProcessView before = ProcessView.Of(shell.Id);
        Assert.False(before.Identity!.IsOurUser);
        Assert.Equal(before.Identity, before.Confirm().Identity);
        shell.StandardInput.WriteLine("go");
        ProcessFacts.WaitUntil(() => ProcessFacts.Status(shell.Id, "Uid")?.Split('\t')[1] == "0", "it has root's rights");
        Assert.Contains("became another program", Assert.Throws<TargetException>(before.Confirm).Message, StringComparison.Ordinal);
        // It obeys somebody else still.
        Assert.False(ProcessIdentity.Of(shell.Id)!.IsOurUser);
        shell.Kill();
        shell.WaitForExit();
        Assert.Null(before.Confirm().Identity);
    }

    // The race itself: copied as nobody's process with a planted runtime, asked about when it is root's.
    [Fact]
    public void No_code_is_loaded_for_a_process_that_becomes_a_setuid_program_at_any_moment()
    {
        const string source = """
            System.Console.WriteLine("{\"stacks\":[]}");
            System.Console.WriteLine("ready " + System.Environment.ProcessId);
            while (System.Console.In.ReadLine() is string path)
                execv(path, new[] { path, "60", null });
            [System.Runtime.InteropServices.DllImport("libc")] static extern int execv(string path, string[] words);
            """;
        using var program = new IdleProgram(source);
        using var folder = new TemporaryFolder();
        using RuntimeCopy runtime = Planted();
        Give(runtime.Root);
        string setuid = Setuid(folder);
        for (int delay = 0; delay <= 700; delay += 70)
        {
            using ScenarioProcess process = ScenarioProcess.Start(program.Build with { Host = [.. AsNobody, runtime.Host] }, []);
            Process tool = ToolRun.Start(process.Pid.ToString());
            Thread.Sleep(delay);
            process.Tell(setuid);
            Assert.Equal(3, ToolRun.Finish(tool).ExitCode);
            Assert.False(_planted.WasLoaded, $"the planted library was loaded after {delay} ms");
            ProcessFacts.Signal(process.Pid, "KILL");
        }
    }

    [Fact]
    public void A_path_of_another_mount_namespace_is_not_opened_in_ours()
    {
        using RuntimeCopy sound = new(), ours = Planted();
        // Over there the folder holds a sound runtime, here one of the same build with the planted library, and all of it is root's.
        using ScenarioProcess process = Start(["unshare", "--mount", "--propagation", "private", "sh", "-c",
            $"mount -t tmpfs -o mode=755 none {ours.Root} && cp -a {sound.Root}/. {ours.Root} && exec \"$@\"", "sh", ours.Host]);
        ToolRun run = ToolRun.Of(process.Pid.ToString());
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.False(_planted.WasLoaded);
        Assert.Contains("found: /proc/" + process.Pid + "/root/", ToolRun.Of("doctor", process.Pid.ToString()).Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Root_in_a_user_namespace_is_not_root()
    {
        using RuntimeCopy runtime = Planted();
        Give(runtime.Root);
        Assert.SkipUnless(Process.Start("setpriv", [.. AsNobody[1..], "unshare", "--user", "--map-root-user", "--mount", "true"]) is { } trial && trial.WaitForExit(10_000) && trial.ExitCode == 0,
            "users may not make namespaces here");
        using ScenarioProcess process = Start([.. AsNobody, "unshare", "--user", "--map-root-user", "--mount", runtime.Host]);
        Refuses(process, "has not the rights of the user of this tool");
    }

    // A container's root is less than root: whatever he has put into his container must not run outside of it.
    [Fact]
    public void Root_of_a_container_with_fewer_rights_is_not_root()
    {
        using RuntimeCopy runtime = Planted();
        using ScenarioProcess process = Start(["unshare", "--mount", "--propagation", "private", "setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin", runtime.Host]);
        Refuses(process, "is in a container and has fewer rights than this tool");
    }

    public void Dispose()
    {
        _planted.Dispose();
        _program.Dispose();
    }

    private static void Give(string folder) => Process.Start("chown", ["-R", Nobody, folder]).WaitForExit();

    private static string Setuid(TemporaryFolder folder)
    {
        folder.OpenToEverybody();
        string program = folder.PathOf("sleep");
        File.Copy("/bin/sleep", program);
        Process.Start("chmod", ["4755", program]).WaitForExit();
        return program;
    }

    private RuntimeCopy Planted()
    {
        var runtime = new RuntimeCopy();
        File.Copy(_planted.File, runtime.BesideRuntime, overwrite: true);
        return runtime;
    }

    private ScenarioProcess Start(params string[] host) => ScenarioProcess.Start(_program.Build with { Host = host }, ScenarioDump.Scenarios);

    private void Refuses(ScenarioProcess process, string why)
    {
        string pid = process.Pid.ToString();
        Outcome.IsRefusal(ToolRun.Of(pid), 3, why, "--dac");
        Outcome.IsRefusal(ToolRun.Of(pid, "--freeze", "none"), 3, why, "--dac");
        Outcome.IsRefusal(ToolRun.Of(pid, "--freeze", "full"), 3, why, "--dac");
        Assert.Contains(why, ToolRun.Of("doctor", pid).Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        // What ps does with each process.
        Assert.Contains(why, System.Text.Json.JsonDocument.Parse(ToolRun.Of("look-into", pid).Output).RootElement.GetProperty("reason").GetString(), StringComparison.Ordinal);
        Assert.False(_planted.WasLoaded, "the planted library was loaded");
    }
}
