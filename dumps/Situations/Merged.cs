using System.Threading.Channels;

namespace Situations;

/// <summary>A stream that is split onto two bounded channels, and merged again in its order by async iterators.</summary>
public static class Merged
{
    /// <summary>One channel is full before anything comes on the other one, for which the merger waits.</summary>
    public static void Start(int count) => Start(10, TimeSpan.Zero);

    /// <summary>Not stuck: both have something, and what is done with one item takes long.</summary>
    public static void StartSlow(int count) => Start(2, TimeSpan.FromHours(1));

    private static void Start(int every, TimeSpan work)
    {
        Channel<int> calls = Channel.CreateBounded<int>(2), texts = Channel.CreateBounded<int>(2);
        Marks.Keep(calls);
        Marks.Keep(texts);
        Marks.Keep(BillAsync(calls, texts, work));
        Marks.Keep(SplitAsync(calls, texts, every));
        Thread.Sleep(300);
    }

    private static async Task SplitAsync(Channel<int> calls, Channel<int> texts, int every)
    {
        for (int i = 1; ; i++)
        {
            ChannelWriter<int> target = i % every == 0 ? texts.Writer : calls.Writer;
            await target.WriteAsync(i);
        }
    }

    private static async Task BillAsync(Channel<int> calls, Channel<int> texts, TimeSpan work)
    {
        await foreach (int item in MergeAsync(RateAsync(calls.Reader), RateAsync(texts.Reader)))
            await Task.Delay(work * item);
    }

    private static async IAsyncEnumerable<int> RateAsync(ChannelReader<int> source)
    {
        await foreach (int item in source.ReadAllAsync())
            yield return item;
    }

    private static async IAsyncEnumerable<int> MergeAsync(IAsyncEnumerable<int> first, IAsyncEnumerable<int> second)
    {
        await using IAsyncEnumerator<int> a = first.GetAsyncEnumerator(), b = second.GetAsyncEnumerator();
        bool hasA = await a.MoveNextAsync(), hasB = await b.MoveNextAsync();
        while (hasA && hasB)
        {
            if (a.Current < b.Current)
            {
                yield return a.Current;
                hasA = await a.MoveNextAsync();
            }
            else
            {
                yield return b.Current;
                hasB = await b.MoveNextAsync();
            }
        }
    }
}
