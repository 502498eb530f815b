namespace Async2.Tests.Integration.Locks;

/// <summary>Threads that hold what the async method holds that they have resumed: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class ResumedTests
{
    public static TheoryData<string, string, string> Builds => LockShapes.Of("resumed");

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_blocks_for_what_its_own_thread_holds_is_found(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
