namespace Async2.Tests.Integration.Locks;

/// <summary>Threads that wait for several signals: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class SignalTests
{
    public static TheoryData<string, string, string> Builds => LockShapes.Of("event");

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_is_to_signal_and_waits_himself_is_found(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
