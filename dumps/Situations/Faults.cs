using System.Threading.Channels;

namespace Situations;

/// <summary>Methods that have failed, and whose tasks nobody has looked at.</summary>
public static class Faults
{
    private static readonly Pump Mail = new();
    private static readonly Channel<int> Orders = Channel.CreateUnbounded<int>();

    /// <summary>A loop that has died while its clients wait; one of two parts of a WhenAll; one that is awaited later; and work that nobody keeps.</summary>
    public static void Start(int count)
    {
        Mail.Start();
        for (int i = 0; i < 3; i++)
            Marks.Keep(SendAsync(i));
        Marks.Keep(BothAsync());
        Marks.Keep(LaterAsync());
        Marks.Keep(Task.Run(Chore.Work));
        Thread.Sleep(500);
    }

    private static async Task SendAsync(int number)
    {
        string answer = await Mail.AskAsync(number).At("send");
        Console.Error.WriteLine(answer);
    }

    private static async Task BothAsync() => await Task.WhenAll(ProduceAsync(), ConsumeAsync()).At("both");

    private static async Task ProduceAsync()
    {
        await Task.Delay(20);
        throw new InvalidDataException("order 7 has no price".At("produce"));
    }

    private static async Task ConsumeAsync()
    {
        await foreach (int order in Orders.Reader.ReadAllAsync().At("consume"))
            Console.Error.WriteLine(order);
    }

    private static async Task LaterAsync()
    {
        Task first = FailAsync("later");
        await Task.Delay(600_000).At("first");
        await first;
    }

    private static async Task FailAsync(string what)
    {
        await Task.Delay(20);
        throw new TimeoutException(what.At("fail"));
    }

    /// <summary>Failures that somebody has looked at, and tasks that were cancelled.</summary>
    public static void StartSeen(int count)
    {
        Task seen = FailAsync("seen");
        Marks.Keep(seen);
        Marks.Keep(seen.ContinueWith(task => GC.KeepAlive(task.Exception)));
        Task caught = FailAsync("caught");
        Marks.Keep(caught);
        Marks.Keep(CatchAsync(caught));
        Marks.Keep(CancelAsync());
        var promise = new TaskCompletionSource();
        promise.SetException(new IOException("closed"));
        Marks.Keep(promise);
        Marks.Keep(Task.WhenAll(CatchAsync(FailAsync("part")), ConsumeAsync()));
        Thread.Sleep(500);
    }

    private static async Task CatchAsync(Task task)
    {
        try
        {
            await task;
        }
        catch (TimeoutException)
        {
        }
    }

    private static async Task CancelAsync()
    {
        using var stop = new CancellationTokenSource(10);
        await Task.Delay(60_000, stop.Token);
    }
}

/// <summary>Work that nobody waits for.</summary>
internal static class Chore
{
    public static void Work() => throw new NotSupportedException("no such work".At("work"));
}

/// <summary>Answers one after the other, in a loop of its own.</summary>
internal sealed class Pump
{
    private readonly Channel<(int Number, TaskCompletionSource<string> Answer)> _questions = Channel.CreateUnbounded<(int, TaskCompletionSource<string>)>();
    private readonly SemaphoreSlim _answered = new(0);
    public Task? Loop { get; private set; }

    public void Start() => Loop = RunAsync();

    public async Task<string> AskAsync(int number)
    {
        var answer = new TaskCompletionSource<string>();
        await _questions.Writer.WriteAsync((number, answer));
        await _answered.WaitAsync().At("ask");
        return (await answer.Task).Trim();
    }

    private async Task RunAsync()
    {
        await foreach ((int number, TaskCompletionSource<string> answer) in _questions.Reader.ReadAllAsync())
        {
            answer.SetResult(Read(number));
            _answered.Release();
        }
    }

    private static string Read(int number) => throw new IOException($"disk {number} is full".At("read"));
}
