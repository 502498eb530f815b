using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>An async method that executes and calls an interface whose objects are of several types: most of the time the runtime looks for the method of the next one.</summary>
public static class Polymorphic
{
    private static volatile bool isAsking;

    private interface IDesk
    {
        void Ask();
    }

    public static void Start(int count)
    {
        var begin = new TaskCompletionSource();
        Marks.Keep(AskAsync(begin.Task));
        new Thread(begin.SetResult) { IsBackground = true }.Start();
        while (!isAsking)
            Thread.Sleep(10);
    }

    /// <summary>From now on another thread collects all the time; the first one is hardly ever where it can be stopped, so that all others hardly go on.</summary>
    public static string Collected()
    {
        new Thread(Collect) { IsBackground = true }.Start();
        return "";
    }

    private static void Collect()
    {
        // The answer is out by then.
        Thread.Sleep(500);
        while (true)
            GC.Collect(0);
    }

    private static async Task AskAsync(Task begin)
    {
        await begin;
        IDesk[] desks = [new Desk<byte>(), new Desk<short>(), new Desk<int>(), new Desk<long>(), new Desk<float>()];
        Marks.Here("begins");
        for (uint i = 0; ; i++)
        {
            desks[i % (uint)desks.Length].Ask();
            isAsking = i > 10_000 || isAsking;
        }
    }

    private sealed class Desk<T> : IDesk
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public void Ask()
        {
        }
    }
}
