using System.Threading.Tasks.Dataflow;

namespace Situations;

/// <summary>
/// Waits for Dataflow blocks out of which nothing goes any more: linked to nothing, no longer linked since the target has failed, held up by an item that fits no link, or linked in a
/// ring. And for the end of one that nobody tells to complete.
/// </summary>
public sealed class Blocks
{
    private static readonly DataflowBlockOptions Small = new() { BoundedCapacity = 2 };
    private static readonly ExecutionDataflowBlockOptions SmallOne = new() { BoundedCapacity = 2 };
    private static readonly DataflowLinkOptions WithEnd = new() { PropagateCompletion = true };

    private readonly BufferBlock<string> _orders = new(Small);
    private readonly BufferBlock<Guid> _mails = new(Small);
    private readonly TransformBlock<int, string> _pages = new(page => $"page {page}");
    private readonly BufferBlock<long> _rows = new(Small);
    private readonly TransformBlock<long, decimal> _prices = new(row => row * 2m, SmallOne);
    private readonly TransformBlock<char, char> _there = new(Shifted, SmallOne), _back = new(Shifted, SmallOne);

    private readonly ActionBlock<TimeSpan> _hours = new(hour => { });

    /// <summary>Each of six waits for ever.</summary>
    public static void StartStuck(int count)
    {
        var blocks = new Blocks();
        Marks.Keep(blocks);
        Marks.Keep(blocks.UnmatchedAsync());
        Marks.Keep(blocks.FailedAsync());
        Marks.Keep(blocks.UnlinkedAsync());
        Marks.Keep(blocks.BehindAsync());
        Marks.Keep(blocks.RingAsync());
        Marks.Keep(blocks.UnendedAsync());
        Thread.Sleep(1000);
    }

    private async Task UnmatchedAsync()
    {
        _orders.LinkTo(new ActionBlock<string>(order => { }, SmallOne), order => order.StartsWith('A'));
        _orders.LinkTo(new ActionBlock<string>(order => { }, SmallOne), order => order.StartsWith('B'));
        for (int i = 0; i < 100; i++)
            await _orders.SendAsync(i % 5 == 4 ? "C" : i % 2 == 0 ? "A" : "B").At("unmatched");
    }

    private async Task FailedAsync()
    {
        _mails.LinkTo(new ActionBlock<Guid>(mail => throw new FormatException("no address"), SmallOne), WithEnd);
        for (int i = 0; i < 100; i++)
            await _mails.SendAsync(Guid.NewGuid()).At("failed");
    }

    private async Task UnlinkedAsync()
    {
        for (int i = 0; i < 100; i++)
            _pages.Post(i);
        _pages.Complete();
        await _pages.Completion.At("unlinked");
    }

    private async Task BehindAsync()
    {
        _rows.LinkTo(_prices, WithEnd);
        for (int i = 0; i < 100; i++)
            await _rows.SendAsync(i).At("behind");
    }

    private async Task RingAsync()
    {
        _there.LinkTo(_back);
        _back.LinkTo(_there);
        for (char i = 'a'; i < 'z'; i++)
            await _there.SendAsync(i).At("ring");
    }

    // Without PropagateCompletion.
    private async Task UnendedAsync()
    {
        var days = new TransformBlock<int, TimeSpan>(day => TimeSpan.FromDays(day));
        days.LinkTo(_hours);
        for (int i = 0; i < 10; i++)
            await days.SendAsync(i);
        days.Complete();
        await _hours.Completion.At("unended");
    }

    public static async Task<char> Shifted(char letter)
    {
        await Task.Yield();
        return (char)(letter + 1);
    }
}
