using Async2.Analysis.Targets;

namespace Async2.Tests.Targets;

/// <summary>The reason that is named is the one that holds, and its fix is one that helps.</summary>
public sealed class ProcessAccessTests
{
    private static readonly AccessFacts OwnProcess = new() { IsOurUser = true, User = "1000" };

    [Fact]
    public void A_debugger_comes_first() => Says(OwnProcess with { Tracer = 7, IsFiltered = true }, "debugger 7 holds it", "--freeze none");

    [Fact]
    public void A_filter_forbids_it_to_everybody_here() => Says(OwnProcess with { IsFiltered = true, HasCapability = true }, "seccomp", "--cap-add SYS_PTRACE");

    [Fact]
    public void Another_user() => Says(OwnProcess with { IsOurUser = false, User = "0", HasMoreRights = true }, "another user (0)", "sudo dotnet-async2 analyze 5");

    [Fact]
    public void Root_in_a_container_needs_no_sudo()
    {
        Says(OwnProcess with { User = "0", HasMoreRights = true }, "CAP_SYS_PTRACE is missing", "--cap-add SYS_PTRACE");
        Assert.DoesNotContain("sudo", ProcessAccess.Of(OwnProcess with { User = "0", HasMoreRights = true }).Fix, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, "ptrace_scope is 1", "sudo")]
    [InlineData(2, "ptrace_scope is 2", "sudo")]
    [InlineData(3, "forbidden for everybody", "dump collect 5")]
    public void Yama(int scope, string why, string fix) => Says(OwnProcess with { Scope = scope }, why, fix);

    [Fact]
    public void A_process_that_hides() => Says(OwnProcess with { IsPrivate = true }, "PR_SET_DUMPABLE", "sudo");

    [Fact]
    public void Nothing_that_can_be_seen() => Says(OwnProcess, "security module", "SYS_PTRACE");

    private static void Says(AccessFacts facts, string why, string fix)
    {
        ProcessAccess access = ProcessAccess.Of(facts);
        Assert.Contains(why, access.Why, StringComparison.Ordinal);
        Assert.Contains(fix, access.FixFor(5), StringComparison.Ordinal);
    }
}
