namespace Async2.Tests.Integration.Locks;

/// <summary>Writers of pipes that wait until those read who wait for them: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class FullPipeTests
{
    public static TheoryData<string, string, string> Builds => LockShapes.Of("pipe");

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_waits_for_room_waits_for_the_only_reader(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
