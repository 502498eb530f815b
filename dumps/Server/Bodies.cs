using System.Reactive.Linq;
using System.Reactive.Subjects;
using System.Reactive.Threading.Tasks;
using System.Threading.Tasks.Dataflow;

namespace Server;

/// <summary>Libraries that run the user's bodies: those bodies, and the caller that waits for all of them.</summary>
public static class Bodies
{
    private static readonly TaskCompletionSource Gate = new();

    public static async Task StartForEachAsync(string argument)
    {
        Marks.Keep(ImportAsync());
        Marks.Keep(OtherAsync());
        await Idle.SettleAsync();
    }

    public static async Task StartDataflowAsync(string argument)
    {
        var block = new ActionBlock<int>(WorkAsync, new ExecutionDataflowBlockOptions { MaxDegreeOfParallelism = 2 });
        for (int i = 0; i < 7; i++)
            block.Post(i);
        Marks.Keep(FinishAsync(block));
        var full = new BufferBlock<string>(new DataflowBlockOptions { BoundedCapacity = 1 });
        full.Post("first");
        Marks.Keep(SendAsync(full));
        Marks.Keep(TakeAsync(new BufferBlock<Guid>()));
        await Idle.SettleAsync();
    }

    public static async Task StartRxAsync(string argument)
    {
        var subject = new Subject<int>();
        Marks.Keep(subject);
        Marks.Keep(LastAsync(subject));
        Marks.Keep(FirstAsync(subject));
        await Idle.SettleAsync();
    }

    private static async Task ImportAsync()
    {
        await Parallel.ForEachAsync(Enumerable.Range(0, 10), new ParallelOptions { MaxDegreeOfParallelism = 3 }, StoreEachAsync).At("import");
        Console.Error.WriteLine("done");
    }

    private static async Task OtherAsync()
    {
        await Parallel.ForEachAsync(Names(), new ParallelOptions { MaxDegreeOfParallelism = 2 }, StoreNameAsync).At("other");
        Console.Error.WriteLine("done");
    }

    private static async IAsyncEnumerable<string> Names()
    {
        for (int i = 0; i < 5; i++)
        {
            await Task.Yield();
            yield return "name";
        }
    }

    private static async ValueTask StoreEachAsync(int item, CancellationToken cancel) => await StoreAsync(item).At("body");

    private static async ValueTask StoreNameAsync(string name, CancellationToken cancel) => await StoreAsync(name.Length).At("otherBody");

    private static async Task StoreAsync(int item)
    {
        await Gate.Task.At("store");
        Console.Error.WriteLine(item);
    }

    private static async Task WorkAsync(int item)
    {
        await Gate.Task.At("work");
        Console.Error.WriteLine(item);
    }

    private static async Task FinishAsync(ActionBlock<int> block)
    {
        block.Complete();
        await block.Completion.At("completion");
        Console.Error.WriteLine("done");
    }

    private static async Task SendAsync(BufferBlock<string> block)
    {
        bool sent = await block.SendAsync("second").At("send");
        Console.Error.WriteLine(sent);
    }

    private static async Task TakeAsync(BufferBlock<Guid> block)
    {
        Guid item = await block.ReceiveAsync().At("receive");
        Console.Error.WriteLine(item);
    }

    private static async Task LastAsync(IObservable<int> source)
    {
        int last = await source.At("last");
        Console.Error.WriteLine(last);
    }

    private static async Task FirstAsync(IObservable<int> source)
    {
        int first = await source.FirstAsync().ToTask().At("first");
        Console.Error.WriteLine(first);
    }
}
