namespace Async2.Tests.Integration.Locks;

/// <summary>Locks behind interfaces, base classes and structs: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class LockerTests
{
    public static TheoryData<string, string, string> Builds => LockShapes.Of("locker");

    [Theory]
    [MemberData(nameof(Builds))]
    public void What_is_stuck_is_found_and_what_takes_long_is_not(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
