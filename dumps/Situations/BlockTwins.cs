using System.Threading.Tasks.Dataflow;

namespace Situations;

/// <summary>Like <see cref="Blocks"/>, but somebody takes items out, if slowly.</summary>
public sealed class BlockTwins
{
    private static readonly DataflowBlockOptions Small = new() { BoundedCapacity = 2 };
    private static readonly ExecutionDataflowBlockOptions SmallOne = new() { BoundedCapacity = 2 };
    private static readonly DataflowLinkOptions WithEnd = new() { PropagateCompletion = true };
    private static readonly TimeSpan Long = TimeSpan.FromMinutes(10);

    private readonly BufferBlock<string> _orders = new(Small);
    private readonly BufferBlock<Guid> _mails = new(Small);
    private readonly TransformBlock<int, string> _pages = new(page => $"page {page}");
    private readonly BufferBlock<long> _rows = new(Small);
    private readonly TransformBlock<long, decimal> _prices = new(row => row * 2m, SmallOne);
    private readonly TransformBlock<char, char> _there = new(Blocks.Shifted, SmallOne), _back = new(Blocks.Shifted, SmallOne);

    private readonly ActionBlock<TimeSpan> _hours = new(hour => { });
    private readonly BufferBlock<DateTime> _days = new();
    private readonly ActionBlock<DateTime> _night = new(day => { });

    private readonly BufferBlock<short> _parcels = new(Small);
    private readonly JoinBlock<short, string> _labels = new(new GroupingDataflowBlockOptions { Greedy = false });
    private readonly BufferBlock<byte> _bottles = new(Small), _crates = new(Small);

    /// <summary>None of them waits for ever.</summary>
    public static void StartAlike(int count)
    {
        var blocks = new BlockTwins();
        Marks.Keep(blocks);
        Marks.Keep(blocks.MatchedAsync());
        Marks.Keep(FilteredAsync());
        Marks.Keep(ReceivedHereAsync());
        Marks.Keep(blocks.ReceivedThereAsync());
        Marks.Keep(blocks.TakeAsync());
        Marks.Keep(blocks.SendAsync());
        Marks.Keep(new Timer(_ => blocks._prices.TryReceive(out decimal _), null, Long, Long));
        Marks.Keep(blocks.TickedAsync());
        Marks.Keep(blocks.WideRingAsync());
        Marks.Keep(blocks.FedAsync());
        Marks.Keep(new Timer(_ => blocks.Feed(), null, Long, Long));
        Marks.Keep(blocks.EndedAsync());
        Marks.Keep(blocks.EndAsync());
        Marks.Keep(blocks.PairedAsync());
        Marks.Keep(blocks.GatheredAsync());
        Marks.Keep(new Timer(_ => blocks._labels.Target2.Post("label"), null, Long, Long));
        Marks.Keep(new Timer(_ => blocks._crates.Post((byte)1), null, Long, Long));
        Thread.Sleep(1000);
    }

    private async Task MatchedAsync()
    {
        _orders.LinkTo(new ActionBlock<string>(order => Task.Delay(Long), SmallOne), order => order.StartsWith('A'));
        _orders.LinkTo(new ActionBlock<string>(order => Task.Delay(Long), SmallOne));
        for (int i = 0; i < 100; i++)
            await _orders.SendAsync(i % 2 == 0 ? "A" : "B");
    }

    // The only target that wants it is busy.
    private static async Task FilteredAsync()
    {
        var urls = new BufferBlock<Uri>(Small);
        urls.LinkTo(new ActionBlock<Uri>(url => Task.Delay(Long), SmallOne), url => url.Port == 80);
        for (int i = 0; i < 100; i++)
            await urls.SendAsync(new Uri("http://a.example"));
    }

    // Who receives is about to.
    private static async Task ReceivedHereAsync()
    {
        var files = new BufferBlock<Version>(Small);
        Marks.Keep(FillAsync(files));
        while (await files.OutputAvailableAsync())
        {
            Marks.Keep(await files.ReceiveAsync());
            await Task.Delay(Long);
        }
    }

    private static async Task FillAsync(BufferBlock<Version> files)
    {
        for (int i = 0; i < 100; i++)
            await files.SendAsync(new Version(1, i));
    }

    private async Task ReceivedThereAsync()
    {
        for (int i = 0; i < 100; i++)
            await _mails.SendAsync(Guid.NewGuid());
    }

    private async Task TakeAsync()
    {
        await foreach (Guid mail in _mails.ReceiveAllAsync())
        {
            Marks.Keep(mail);
            await Task.Delay(Long);
        }
    }

    // Linked when it was asked for all it has.
    private async Task SendAsync()
    {
        for (int i = 0; i < 100; i++)
            _pages.Post(i);
        _pages.Complete();
        while (await _pages.OutputAvailableAsync())
        {
            Marks.Keep(await _pages.ReceiveAsync());
            await Task.WhenAny(_pages.Completion, Task.Delay(Long));
        }
    }

    private async Task TickedAsync()
    {
        _rows.LinkTo(_prices, WithEnd);
        for (int i = 0; i < 100; i++)
            await _rows.SendAsync(i);
    }

    // One of them takes all.
    private async Task WideRingAsync()
    {
        var wide = new TransformBlock<char, char>(Blocks.Shifted);
        _there.LinkTo(wide);
        wide.LinkTo(new ActionBlock<char>(letter => Task.Delay(Long), SmallOne));
        _back.LinkTo(_there);
        for (char i = 'a'; i < 'z'; i++)
            await _back.SendAsync(i);
    }

    // Whose end is not near, since there may be more.
    private async Task FedAsync() => await _hours.Completion;

    private void Feed() => _hours.Post(Long);

    // Who ends the first one, ends both.
    private async Task EndedAsync()
    {
        _days.LinkTo(_night, WithEnd);
        await _night.Completion;
    }

    // Both fit, and are taken only when there is a label for one of them.
    private async Task PairedAsync()
    {
        _parcels.LinkTo(_labels.Target1, parcel => parcel > 0);
        for (short i = 1; i < 100; i++)
            await _parcels.SendAsync(i);
    }

    // All fit, and are taken three at a time: not while two queues have one each.
    private async Task GatheredAsync()
    {
        var box = new BatchBlock<byte>(3, new GroupingDataflowBlockOptions { Greedy = false, BoundedCapacity = 6 });
        _bottles.LinkTo(box, bottle => bottle > 0);
        _crates.LinkTo(box);
        for (byte i = 1; i < 100; i++)
            await _bottles.SendAsync(i);
    }

    private async Task EndAsync()
    {
        await Task.Delay(Long);
        _days.Complete();
    }
}
