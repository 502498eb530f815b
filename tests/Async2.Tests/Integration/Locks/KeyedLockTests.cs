namespace Async2.Tests.Integration.Locks;

/// <summary>Locks of which a dictionary has one for each key: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class KeyedLockTests
{
    public static TheoryData<string, string, string> Builds => LockShapes.Of("keyed");

    public static TheoryData<string, string, string> Leases => LockShapes.Of("lease");

    [Theory]
    [MemberData(nameof(Builds))]
    [MemberData(nameof(Leases))]
    public void What_is_stuck_is_found_and_what_takes_long_is_not(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
