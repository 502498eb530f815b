using Async2.Tests.Support.Programs;

namespace Async2.Tests.Native;

/// <summary>The native tool in an image of its own, beside programs in images of theirs: docs/containers.md.</summary>
[Trait("Category", "Native")]
public sealed class SlimContainerTests : IDisposable
{
    private const int Nobody = 65534;
    private readonly SlimRoot _slim = new();

    public SlimContainerTests() => Assert.SkipUnless(ProcessFacts.IsRoot, "only root can make a container");

    /// <summary>From the host, from a sidecar that shares the pid namespace, as root and as the program's user; the runtime is installed only in the program's root folder.</summary>
    [Theory]
    [InlineData(0, false)]
    [InlineData(0, true)]
    [InlineData(Nobody, false)]
    [InlineData(Nobody, true)]
    public void From_outside_it_reads_with_what_the_program_brought(int user, bool isSidecar)
    {
        using var container = new Container(ownBuild: true) { User = user };
        using ScenarioProcess process = container.Start("blocked");
        (int shared, int pid) = isSidecar ? (process.Pid, 1) : (0, process.Pid);
        Outcome.IsWhole(_slim.Run(shared, user, $"{pid} --all --format json"), "blocked", 8);
        ToolRun saved = _slim.Run(shared, user, $"snapshot {pid} -o /work/in.async2snap");
        Assert.Equal((0, ""), (saved.ExitCode, saved.Error));
        Outcome.IsWhole(ToolRun.Of(Path.Join(_slim.Work, "in.async2snap"), "--all", "--format", "json"), "blocked", 8);
        Assert.DoesNotMatch("\nfail", _slim.Run(shared, user, $"doctor {pid}").Output);
    }

    [Fact]
    public void Inside_it_is_one_file_among_the_programs()
    {
        using var container = new Container(ownBuild: true);
        using ScenarioProcess process = container.Start("blocked");
        string inside = $"nsenter -t {process.Pid} --pid --mount --root --wd {Container.InsideTool} ";
        Outcome.IsWhole(ToolRun.Shell(inside + "1 --all --format json"), "blocked", 8);
        ToolRun saved = ToolRun.Shell(inside + "snapshot 1 -o /tmp/in.async2snap");
        Assert.Equal((0, ""), (saved.ExitCode, saved.Error));
        Outcome.IsWhole(ToolRun.Of($"/proc/{process.Pid}/root/tmp/in.async2snap", "--all", "--format", "json"), "blocked", 8);
    }

    [Fact]
    public void Root_beside_a_users_program_names_what_is_missing()
    {
        using var container = new Container(ownBuild: true) { User = Nobody };
        using ScenarioProcess process = container.Start("blocked");
        Outcome.IsRefusal(_slim.Run(process.Pid, 0, "1"), 3, "has not the rights of the user of this tool", "--dac");
    }

    public void Dispose() => _slim.Dispose();
}
