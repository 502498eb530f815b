namespace Async2.Tests.Integration.Locks;

/// <summary>Threads that wait for several signals: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class SignalTests
{
    // Optimised code does not say exactly in which call a thread stands: there, what is found is possible.
    public static TheoryData<string, string, string> Builds => [.. LockShapes.Of("event").Where(row => row.Data.Item3.Length == 0)];

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_is_to_signal_and_waits_himself_is_found(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
