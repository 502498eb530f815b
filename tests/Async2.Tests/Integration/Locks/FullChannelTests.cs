namespace Async2.Tests.Integration.Locks;

/// <summary>Loops that wait for room in channels that are read by who waits for them: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class FullChannelTests
{
    public static TheoryData<string, string, string> Builds => LockShapes.Of("full");

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_waits_for_room_waits_for_the_only_reader(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
