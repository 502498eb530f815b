using System.Net;
using System.Net.Sockets;

namespace Situations;

/// <summary>Programs of which one look cannot say whether they move: a second look can. Each that does not has a twin that moves.</summary>
public static class Stalled
{
    private const int Many = 12;

    // Without a maximum nobody knows how many permits are out.
    private static readonly SemaphoreSlim Left = new(1), Right = new(1), Till = new(1), Gate = new(0), Ping = new(0), Pong = new(0);
    private static readonly CancellationTokenSource Stop = new();

    /// <summary>Two methods hold, for their callers, what the other one wants.</summary>
    public static void StartPair(int count)
    {
        // On a busy machine the second one may begin long after the first.
        var bothHold = new TaskCompletionSource();
        Marks.Keep(CrossAsync(Left, Right, () => bothHold.Task));
        Marks.Keep(CrossAsync(Right, Left, () => bothHold.Task));
        bothHold.SetResult();
        Thread.Sleep(500);
    }

    /// <summary>Moves: the same two, again and again, and somebody else lends them a permit.</summary>
    public static void StartTurns(int count)
    {
        Marks.Keep(CrossAgainAsync(Left, Right));
        Marks.Keep(CrossAgainAsync(Right, Left));
        bool lends = false;
        Timer? lender = null;
        lender = new Timer(_ =>
        {
            // What it could not take back in time it takes later: with a permit too many, nobody would ever wait. Most of the time both wait.
            lends = lends ? !Left.Wait(TimeSpan.FromMilliseconds(100)) : Left.Release() >= 0;
            lender!.Change(lends ? 20 : 300, Timeout.Infinite);
        });
        Marks.Keep(lender);
        lender.Change(150, Timeout.Infinite);
        Thread.Sleep(500);
    }

    /// <summary>One holds a semaphore while a server answers, and it does not; many want it.</summary>
    public static void StartFar(int count) => Ask(answers: false);

    /// <summary>Moves: the server answers, after a while.</summary>
    public static void StartAnswers(int count) => Ask(answers: true);

    /// <summary>Healthy, and does not move: all pass a gate that is opened later.</summary>
    public static void StartGate(int count)
    {
        for (int i = 0; i < Many; i++)
            Marks.Keep(PassAsync());
        Thread.Sleep(500);
    }

    /// <summary>Moves: two methods wake each other, each with a semaphore of its own.</summary>
    public static void StartPingPong(int count)
    {
        Marks.Keep(PlayAsync(Ping, Pong));
        Marks.Keep(PlayAsync(Pong, Ping));
        Ping.Release();
        Thread.Sleep(500);
    }

    private static async Task CrossAsync(SemaphoreSlim held, SemaphoreSlim wanted, Func<Task> pause)
    {
        await held.WaitAsync();
        await pause();
        await SwapAsync(held, wanted);
    }

    private static async Task CrossAgainAsync(SemaphoreSlim held, SemaphoreSlim wanted)
    {
        while (!Stop.IsCancellationRequested)
            await CrossAsync(held, wanted, () => Task.Delay(50));
    }

    // Its caller has taken what it gives back.
    private static async Task SwapAsync(SemaphoreSlim held, SemaphoreSlim wanted)
    {
        try
        {
            await wanted.WaitAsync().At("wants");
            wanted.Release();
        }
        finally
        {
            held.Release();
        }
    }

    private static void Ask(bool answers)
    {
        var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        Marks.Keep(AnswerAsync(server, answers));
        for (int i = 0; i < Many; i++)
            Marks.Keep(BuyAsync((IPEndPoint)server.LocalEndpoint));
        Thread.Sleep(700);
    }

    private static async Task AnswerAsync(TcpListener server, bool answers)
    {
        while (!Stop.IsCancellationRequested)
        {
            TcpClient guest = await server.AcceptTcpClientAsync();
            Marks.Keep(guest);
            Marks.Keep(ServeAsync(guest, answers));
        }
    }

    private static async Task ServeAsync(TcpClient guest, bool answers)
    {
        byte[] question = new byte[1];
        while (await guest.GetStream().ReadAsync(question.AsMemory()) > 0)
        {
            await Task.Delay(80);
            if (answers)
                await guest.GetStream().WriteAsync(question.AsMemory());
        }
    }

    private static async Task BuyAsync(IPEndPoint server)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(server);
        byte[] answer = [1];
        while (!Stop.IsCancellationRequested)
        {
            await Till.WaitAsync().At("buys");
            try
            {
                await client.GetStream().WriteAsync(answer.AsMemory());
                int read = await client.GetStream().ReadAsync(answer.AsMemory()).At("asks");
                Marks.Keep(read);
            }
            finally
            {
                Till.Release();
            }
        }
    }

    private static async Task PassAsync()
    {
        await Gate.WaitAsync().At("gate");
        Gate.Release();
    }

    private static async Task PlayAsync(SemaphoreSlim own, SemaphoreSlim other)
    {
        while (!Stop.IsCancellationRequested)
        {
            await own.WaitAsync();
            await Task.Delay(1);
            other.Release();
        }
    }
}
