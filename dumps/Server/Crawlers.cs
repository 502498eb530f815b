using System.Threading.Tasks.Dataflow;

namespace Server;

/// <summary>Blocks that find more work than they do: one is full of its own items. The others only look like it.</summary>
public static class Crawlers
{
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);

    public static async Task StartAsync(string argument)
    {
        // Full, and both of its workers send to it.
        var pages = new Crawler(capacity: 4, workers: 2);
        await pages.BeginAsync(2);
        // Without a bound there is always room.
        await new Crawler(capacity: DataflowBlockOptions.Unbounded, workers: 1).BeginAsync(1);
        // One of its workers takes long, and makes room then.
        await new Crawler(capacity: 4, workers: 2) { Slow = 1 }.BeginAsync(2);
        // Somebody else waits for room, and the workers take long.
        var slow = new Crawler(capacity: 2, workers: 1) { Slow = 1 };
        await slow.BeginAsync(2);
        Marks.Keep(FeedAsync(slow));
        await Task.Delay(500);
    }

    private static async Task FeedAsync(Crawler crawler)
    {
        await crawler.BeginAsync(1);
        Console.Error.WriteLine("fed");
    }

    private sealed class Crawler
    {
        private readonly ActionBlock<int> _pages;
        private int _visited;

        public Crawler(int capacity, int workers)
        {
            _pages = new ActionBlock<int>(VisitAsync, new ExecutionDataflowBlockOptions { BoundedCapacity = capacity, MaxDegreeOfParallelism = workers });
            Marks.Keep(this);
        }

        public int Slow { get; init; }

        public async Task BeginAsync(int count)
        {
            for (int i = 1; i <= count; i++)
                await _pages.SendAsync(i);
        }

        private async Task VisitAsync(int page)
        {
            await Task.Delay(page <= Slow ? Long : TimeSpan.FromMilliseconds(20));
            for (int link = 0; link < 4 && page < 1000; link++)
                await _pages.SendAsync((page * 4) + link).At("visit");
            _visited++;
        }
    }
}
