namespace Async2.Tests.Integration.Locks;

/// <summary>Threads that wait for several signals: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class SignalTests
{
    // Optimised code does not say exactly in which call a thread stands: there, what is found is possible.
    public static TheoryData<string, string, string> Builds => [.. LockShapes.Of("event").Where(row => row.Data.Item3.Length == 0)];

    public static TheoryData<string, string> Optimised => new(
        from situation in (string[])["eventCount", "eventFailed", "eventBusy"]
        from build in (string[])["Situations", "Situations.Classic"]
        select (situation, build));

    /// <summary>CountdownEvent.Wait is inlined there, and a thread blocks for the event inside of it.</summary>
    [Theory]
    [MemberData(nameof(Optimised))]
    public void Optimised_code_knows_whose_event_it_is(string situation, string build) => LockShapes.LookAt(situation, build, "DOTNET_TieredCompilation=0");

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_is_to_signal_and_waits_himself_is_found(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
