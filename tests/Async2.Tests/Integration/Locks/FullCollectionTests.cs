namespace Async2.Tests.Integration.Locks;

/// <summary>Threads that wait for room in collections out of which those take who wait for them: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class FullCollectionTests
{
    public static TheoryData<string, string, string> Builds => LockShapes.Of("bounded");

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_waits_for_room_waits_for_the_only_taker(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
