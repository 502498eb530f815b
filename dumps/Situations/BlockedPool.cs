using System.Linq.Expressions;

namespace Situations;

/// <summary>Pool threads that wait synchronously for async work: sync-over-async, in three spellings.</summary>
public static class BlockedPool
{
    private static readonly TaskCompletionSource<int> Answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public static void Start(int count)
    {
        int threads = count == 0 ? 8 : count;
        ThreadPool.SetMinThreads(threads + 2, 4);
        using var blocked = new CountdownEvent(threads);
        for (int i = 0; i < threads; i++)
        {
            int number = i;
            Marks.Keep(Task.Run(() => Serve(number, blocked)));
        }
        blocked.Wait();
        Thread.Sleep(500);
    }

    /// <summary>The same from code that was generated at run time, so that no frame of a developer's is on the thread.</summary>
    public static void StartGenerated(int count)
    {
        Expression ask = Expression.Call(typeof(BlockedPool), nameof(AskAsync), null, Expression.Constant(1));
        Marks.Keep(Task.Run(Expression.Lambda<Func<int>>(Expression.Property(ask, nameof(Task<int>.Result))).Compile()));
        Thread.Sleep(500);
    }

    private static void Serve(int number, CountdownEvent blocked)
    {
        blocked.Signal();
        switch (number % 3)
        {
            case 0:
                AskAsync(number).At("wait").Wait();
                break;
            case 1:
                GC.KeepAlive(AskAsync(number).At("result").Result);
                break;
            default:
                AskAsync(number).At("getResult").GetAwaiter().GetResult();
                break;
        }
        GC.KeepAlive(number);
    }

    private static async Task<int> AskAsync(int number)
    {
        int price = await LookUpAsync(number).At("ask");
        return price + 1;
    }

    private static async Task<int> LookUpAsync(int number)
    {
        int price = await Answer.Task.At("lookUp");
        return price + number;
    }
}
