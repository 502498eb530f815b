using Net11Fixture.Support;

namespace Net11Fixture;

/// <summary>A chain whose task leads nowhere at this moment, and which no thread executes; and one that waits for it.</summary>
public static class Transition
{
    public static void Start()
    {
        Chain between = Chain.Of(t => Shop.SendAsync(t, 1)), waiter = Chain.Of(t => Shop.ServeAsync(t, 2));
        waiter.Await(between.Task);
        TaskFields.StateObject(between.Task) = null;
        waiter.Record("waits for what is in transition");
    }
}
