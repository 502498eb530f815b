using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Tests.Targets.Stopping;

/// <summary>The reason that is named is the one that holds, and its fix is one that helps.</summary>
public sealed class AccessDenialTests
{
    private static readonly AccessFacts OwnProcess = new() { IsOurUser = true, User = "1000" };

    [Fact]
    public void A_debugger_comes_first() => Says(OwnProcess with { Tracer = 7, IsFiltered = true }, "debugger 7 holds it", "--freeze none");

    [Fact]
    public void A_seccomp_filter_forbids_it_to_everybody_here() => Says(OwnProcess with { IsFiltered = true, HasCapability = true }, "seccomp", "--cap-add SYS_PTRACE");

    [Fact]
    public void Another_user() => Says(OwnProcess with { IsOurUser = false, User = "0", HasMoreRights = true }, "another user (0)", "sudo dotnet-async2 analyze 5");

    [Fact]
    public void Root_in_a_container_needs_no_sudo()
    {
        Says(OwnProcess with { User = "0", HasMoreRights = true }, "CAP_SYS_PTRACE is missing", "--cap-add SYS_PTRACE");
        Assert.DoesNotContain("sudo", AccessDenial.Of(OwnProcess with { User = "0", HasMoreRights = true }).Fix, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, "ptrace_scope is 1", "sudo")]
    [InlineData(2, "ptrace_scope is 2", "sudo")]
    [InlineData(3, "forbidden for everybody", "dump collect 5")]
    public void Yama(int scope, string why, string fix) => Says(OwnProcess with { Scope = scope }, why, fix);

    [Fact]
    public void Ids_of_another_pid_namespace() => Says(new() { IsForeign = true }, "/proc shows another pid namespace", "--pid=container:NAME");

    [Theory]
    [InlineData("         0       1000          1\n", 65534, "a user without a number in this user namespace")]
    [InlineData("0 1000 1\n1 100000 65536\n", 65534, "another user (65534)")]
    [InlineData("0 0 4294967295\n", 65534, "another user (65534)")]
    [InlineData("0 1000 1\n1 100000 65536\n", 65537, "a user without a number in this user namespace")]
    [InlineData("nonsense\n", 5, "another user (5)")]
    [InlineData(null, 5, "another user (5)")]
    public void The_owner_of_a_file_by_the_map_of_users(string? map, uint owner, string words)
        => Assert.Contains(words, ProcFiles.UserText(owner, map), StringComparison.Ordinal);

    [Fact]
    public void A_process_that_does_not_allow_reading() => Says(OwnProcess with { IsPrivate = true }, "PR_SET_DUMPABLE", "sudo");

    [Fact]
    public void Nothing_visible() => Says(OwnProcess, "security module", "SYS_PTRACE");

    private static void Says(AccessFacts facts, string why, string fix)
    {
        AccessDenial access = AccessDenial.Of(facts);
        Assert.Contains(why, access.Why, StringComparison.Ordinal);
        Assert.Contains(fix, access.FixFor(5), StringComparison.Ordinal);
    }
}
