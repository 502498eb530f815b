namespace Async2.Tests.Integration.Locks;

/// <summary>Loops that ask each other over their mailboxes: see <see cref="LockShapes"/>.</summary>
[Trait("Category", "Integration")]
public sealed class ActorTests
{
    public static TheoryData<string, string, string> Builds => LockShapes.Of("actor");

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_waits_for_the_answer_of_a_loop_that_waits_for_it_is_found(string situation, string build, string environment) => LockShapes.LookAt(situation, build, environment);
}
