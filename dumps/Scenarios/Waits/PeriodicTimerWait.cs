// The user must see that the loop waits for the tick of a periodic timer.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("PeriodicTimer.WaitForNextTickAsync in a while condition")]
public static class PeriodicTimerWait
{
    public static async Task Run(Trail t)
    {
        int rounds = await PatrolAsync(t.At());
        GC.KeepAlive(rounds);
    }

    private static async Task<int> PatrolAsync(Trail t)
    {
        int rounds = 0;
        using var clock = new PeriodicTimer(TimeSpan.FromHours(100));
        t.Rest("PeriodicTimer.WaitForNextTickAsync", clock.Dispose, "PeriodicTimer, every 4 d 4 h, due in {time}");
        t.At(up: -1);
        while (await clock.WaitForNextTickAsync())
        {
            rounds++;
        }
        return rounds;
    }
}
