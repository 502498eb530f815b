namespace Async2.Tests.Integration.Locks;

/// <summary>Locks for readers and writers, and iterators that hold a semaphore between two elements: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class ReadersLockTests
{
    public static TheoryData<string, string, string> Builds => LockShapes.Of("readers");

    [Theory]
    [MemberData(nameof(Builds))]
    public void What_is_stuck_is_found_and_what_takes_long_is_not(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
