using System.Collections.Concurrent;

namespace Situations;

/// <summary>Bodies of Parallel.ForEachAsync that wait until the bodies of other elements have loaded theirs.</summary>
public sealed class Elements
{
    private static readonly string[] Names = ["addresses", "contacts", "customers"];

    private readonly ConcurrentDictionary<string, TaskCompletionSource<Table>> _loaded = new();
    private readonly TimeSpan _load;

    private Elements(TimeSpan load) => _load = load;

    /// <summary>All that may be loaded at once wait for one that comes later in the order.</summary>
    public static void StartOrder(int count) => Start(new Elements(TimeSpan.Zero), degree: 2);

    /// <summary>Not stuck: there is room for the one that they wait for, and it takes long.</summary>
    public static void StartSlow(int count) => Start(new Elements(TimeSpan.FromHours(1)), degree: 3);

    /// <summary>Not stuck: the one that they wait for has not come yet.</summary>
    public static void StartStream(int count)
    {
        var all = new Elements(TimeSpan.Zero);
        Marks.Keep(all.LoadStreamAsync());
        Thread.Sleep(500);
    }

    private static void Start(Elements all, int degree)
    {
        Marks.Keep(all.LoadAllAsync(degree));
        Thread.Sleep(500);
    }

    private async Task LoadAllAsync(int degree)
    {
        await Parallel.ForEachAsync(Names, new ParallelOptions { MaxDegreeOfParallelism = degree }, LoadAsync);
        await new Elements(_load).LoadAllAsync(degree);
    }

    private Task LoadStreamAsync() => Parallel.ForEachAsync(ComeAsync(), new ParallelOptions { MaxDegreeOfParallelism = 3 }, LoadAsync);

    private static async IAsyncEnumerable<string> ComeAsync()
    {
        yield return Names[0];
        yield return Names[1];
        await Task.Delay(TimeSpan.FromHours(1));
        yield return Names[2];
    }

    private Task<Table> LoadedAsync(string name) => SlotOf(name).Task;

    private void Tell(string name) => SlotOf(name).TrySetResult(new(name));

    private TaskCompletionSource<Table> SlotOf(string name) => _loaded.GetOrAdd(name, _ => new(TaskCreationOptions.RunContinuationsAsynchronously));

    private async ValueTask LoadAsync(string name, CancellationToken cancellation)
    {
        if (name != Names[2])
            await LoadedAsync(Names[2]);
        await Task.Delay(_load, cancellation);
        Tell(name);
    }

    private sealed record Table(string Name);
}
