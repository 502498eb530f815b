using System.Threading.Channels;

namespace Situations;

/// <summary>Things for which many wait: some hold everything up, and for some many wait because there is nothing to do.</summary>
public static class Hot
{
    private const int Many = 40;

    private static readonly SemaphoreSlim Till = new(1, 1);
    private static readonly SemaphoreSlim Doors = new(3, 3);
    private static readonly SemaphoreSlim Bell = new(0);
    private static readonly TaskCompletionSource<int> Answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private const int Steps = 12;
    private static Task<int>? _menu;
    private static volatile TaskCompletionSource<int>? _turn;

    /// <summary>One holds a semaphore and waits for an answer that does not come; many want it.</summary>
    public static void StartTill(int count)
    {
        Marks.Keep(ChargeAsync());
        for (int i = 0; i < Many; i++)
            Marks.Keep(PayAsync());
        Thread.Sleep(500);
    }

    /// <summary>All permits are held by stacks that wait for the same; more want one.</summary>
    public static void StartDoors(int count)
    {
        for (int i = 0; i < 3 + 5; i++)
            Marks.Keep(EnterAsync());
        Thread.Sleep(500);
    }

    /// <summary>Many await the same task, which waits for an answer.</summary>
    public static void StartMenu(int count)
    {
        _menu = LoadAsync();
        for (int i = 0; i < Many; i++)
            Marks.Keep(OrderAsync());
        Thread.Sleep(500);
    }

    /// <summary>Many want a semaphore whose holders keep it for a moment each: it is contended, and moves.</summary>
    public static void StartMoving(int count)
    {
        for (int i = 0; i < Many; i++)
            Marks.Keep(ServeAsync());
        Thread.Sleep(500);
    }

    /// <summary>Many want a semaphore, and who has it keeps it until somebody says so.</summary>
    public static void StartSteps(int count)
    {
        for (int i = 0; i < Many; i++)
            Marks.Keep(TurnAsync());
        Thread.Sleep(500);
    }

    /// <summary>So many get it one after the other, and are done.</summary>
    public static int Step()
    {
        for (int i = 0; i < Steps; i++)
        {
            TaskCompletionSource<int> turn = _turn!;
            turn.SetResult(i);
            while (_turn == turn)
                Thread.Sleep(1);
        }
        return Steps;
    }

    /// <summary>Many wait until they are rung for: a semaphore that is a signal has no holder.</summary>
    public static void StartSignal(int count)
    {
        for (int i = 0; i < Many; i++)
            Marks.Keep(ListenAsync());
        Thread.Sleep(500);
    }

    /// <summary>Consumers of one channel without work, actors with a channel each, and long polls that wait for one promise.</summary>
    public static void StartIdle(int count)
    {
        var orders = Channel.CreateUnbounded<int>();
        Marks.Keep(orders);
        for (int i = 0; i < Many; i++)
        {
            var letters = Channel.CreateUnbounded<int>();
            Marks.Keep(letters);
            Marks.Keep(ConsumeAsync(orders.Reader));
            Marks.Keep(ConsumeAsync(letters.Reader));
            Marks.Keep(PollAsync());
        }
        Thread.Sleep(500);
    }

    /// <summary>Producers wait for room in a full channel, from which a consumer takes an item now and then.</summary>
    public static void StartPressure(int count)
    {
        var shelf = Channel.CreateBounded<int>(4);
        Marks.Keep(TakeAsync(shelf.Reader));
        for (int i = 0; i < Many; i++)
            Marks.Keep(BakeAsync(shelf.Writer));
        Thread.Sleep(500);
    }

    private static async Task ChargeAsync()
    {
        await Till.WaitAsync();
        try
        {
            await Answer.Task.At("charge");
        }
        finally
        {
            Till.Release();
        }
    }

    private static async Task PayAsync()
    {
        await Till.WaitAsync().At("pay");
        Till.Release();
    }

    private static async Task EnterAsync()
    {
        await Doors.WaitAsync().At("door");
        try
        {
            await Answer.Task.At("inside");
        }
        finally
        {
            Doors.Release();
        }
    }

    private static async Task<int> LoadAsync()
    {
        int answer = await Answer.Task.At("load");
        return answer + 1;
    }

    private static async Task<int> OrderAsync()
    {
        int menu = await _menu!.At("order");
        return menu + 1;
    }

    private static async Task ServeAsync()
    {
        for (; ; )
        {
            await Till.WaitAsync().At("serve");
            await Task.Delay(20).At("served");
            Till.Release();
        }
    }

    private static async Task TurnAsync()
    {
        await Till.WaitAsync().At("turn");
        try
        {
            var turn = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
            _turn = turn;
            await turn.Task.At("has");
        }
        finally
        {
            Till.Release();
        }
    }

    private static async Task ListenAsync()
    {
        await Bell.WaitAsync().At("bell");
        Marks.Keep(1);
    }

    private static async Task ConsumeAsync(ChannelReader<int> reader)
    {
        await foreach (int item in reader.ReadAllAsync())
            Marks.Keep(item);
    }

    private static async Task PollAsync()
    {
        int answer = await Answer.Task.At("poll");
        Marks.Keep(answer);
    }

    private static async Task TakeAsync(ChannelReader<int> reader)
    {
        for (; ; )
        {
            GC.KeepAlive(await reader.ReadAsync());
            await Task.Delay(20).At("take");
        }
    }

    private static async Task BakeAsync(ChannelWriter<int> writer)
    {
        for (; ; )
            await writer.WriteAsync(1);
    }
}
