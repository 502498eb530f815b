namespace Async2.Tests.Integration.Locks;

/// <summary>Promises that nobody completes, or only who waits itself: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class PromiseTests
{
    public static TheoryData<string, string, string> Builds => LockShapes.Of("promise");

    [Theory]
    [MemberData(nameof(Builds))]
    public void What_is_stuck_is_found_and_what_takes_long_is_not(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
