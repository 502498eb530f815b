using System.Reflection;
#if CLASSIC
namespace Workloads.Classic;
#else
namespace Workloads;
#endif

/// <summary>Two locks, and what whoever has them waits for.</summary>
public sealed class Held
{
    public readonly SemaphoreSlim First = new(1);
    public readonly SemaphoreSlim Second = new(1);
    public readonly TaskCompletionSource Source = new();
    public readonly int Rounds = 1;
    public int Done;

    public Task Never => Source.Task;
}

/// <summary>
/// Four hundred methods that hold a lock, each at a place of its own, and one that waits for each lock. The methods are made of <c>Held.template</c>;
/// the same are compiled into state machines in Workloads.Classic.
/// </summary>
public static partial class HeldPlaces
{
    private static readonly List<(Held Held, Task Holder, Task Waiter)> Started = [];

    /// <returns>Suspended methods.</returns>
    public static long Start()
    {
        long frames = 0;
        foreach (MethodInfo method in typeof(HeldPlaces).GetMethods().Where(method => method.Name.StartsWith("Hold", StringComparison.Ordinal)))
        {
            var held = new Held();
            Task holder = method.CreateDelegate<Func<Held, Task>>()(held);
            // Task.Yield comes back on the pool.
            while (held.First.CurrentCount > 0) Thread.Sleep(1);
            Started.Add((held, holder, Wait(held)));
            frames += method.Name.StartsWith("HoldForCall", StringComparison.Ordinal) ? 3 : 2;
        }
        return frames;
    }

    private static async Task Wait(Held held)
    {
        await held.First.WaitAsync();
        held.Done++;
    }
}
