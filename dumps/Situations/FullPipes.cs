#if NET10_0_OR_GREATER
using System.IO.Pipelines;

namespace Situations;

/// <summary>
/// Writers that wait until somebody reads a pipe, who waits for them. Their twins have a limit, a reader that takes long, or one whose code is not seen.
/// </summary>
public static class FullPipes
{
    private static readonly PipeOptions Small = new(pauseWriterThreshold: 64, resumeWriterThreshold: 32);
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);

    /// <summary>Two that send more than they are sent.</summary>
    public static void StartPair(int count)
    {
        var left = new Peer();
        var right = new Peer { Other = left };
        left.Other = right;
        Start(left, right.Incoming.Writer.WriteAsync(new byte[10]).AsTask(), left.EchoAsync(), right.EchoAsync());
    }

    /// <summary>One that holds a semaphore while it writes; the reader needs it.</summary>
    public static void StartGate(int count)
    {
        var store = new Store();
        Start(store, store.FillAsync(CancellationToken.None), store.DrainAsync(TimeSpan.Zero));
    }

    /// <summary>One that reads only when all is written.</summary>
    public static void StartCopy(int count)
    {
        var pipe = new Pipe(Small);
        Start(pipe, CopyAsync(pipe, TimeSpan.Zero));
    }

    /// <summary>One that fills two pipes as what it is sent comes; they are read one after the other.</summary>
    public static void StartSplit(int count)
    {
        var splitter = new Splitter();
        Start(splitter, splitter.SplitAsync(TimeSpan.Zero), DrainAsync(splitter.Lines, splitter.Pictures));
    }

    /// <summary>The same, and it takes long.</summary>
    public static void StartSplitSlow(int count)
    {
        var slow = new Splitter();
        Start(slow, slow.SplitAsync(Long), DrainAsync(slow.Lines, slow.Pictures));
    }

    /// <summary>Somebody else writes to the pipe that is read.</summary>
    public static void StartSplitShared(int count)
    {
        var beating = new Beating();
        Start(beating, beating.Parts.SplitAsync(TimeSpan.Zero), beating.BeatAsync(), DrainAsync(beating.Parts.Lines, beating.Parts.Pictures));
    }

    /// <summary>A stream may write to it.</summary>
    public static void StartSplitStreamed(int count)
    {
        var streaming = new Streaming();
        Start(streaming, streaming.Parts.SplitAsync(TimeSpan.Zero), streaming.PrintAsync(), DrainAsync(streaming.Parts.Lines, streaming.Parts.Pictures));
    }

    /// <summary>A library writes to it: its code is not asked.</summary>
    public static void StartSplitCopied(int count)
    {
        var copying = new Copying();
        Start(copying, copying.Parts.SplitAsync(TimeSpan.Zero), copying.CopyAsync(), DrainAsync(copying.Parts.Lines, copying.Parts.Pictures));
    }

    private static async Task<long> DrainAsync(Pipe first, Pipe second)
    {
        long lines = await ReadAllAsync(first.Reader);
        return lines + await ReadAllAsync(second.Reader);
    }

    /// <summary>No deadlock in any of them.</summary>
    public static void StartAlike(int count)
    {
        var slow = new Store();
        var limited = new Store();
        var streamed = new Streamed();
        var ends = new CancellationTokenSource(Long);
        Start(slow, slow.FillAsync(CancellationToken.None), slow.DrainAsync(Long), limited.FillAsync(ends.Token), limited.DrainAsync(TimeSpan.Zero),
            streamed.FillAsync(), streamed.DrainAsync(), CopyAsync(new Pipe(), Long));
    }

    private static void Start(object state, params Task[] tasks)
    {
        Marks.Keep(state);
        foreach (Task task in tasks)
            Marks.Keep(task);
        Thread.Sleep(500);
    }

    private static async Task CopyAsync(Pipe pipe, TimeSpan pause)
    {
        await WriteAllAsync(pipe.Writer, pause);
        long read = await ReadAllAsync(pipe.Reader);
        Marks.Keep(read);
    }

    private static async Task WriteAllAsync(PipeWriter writer, TimeSpan pause)
    {
        for (int i = 0; i < 20; i++)
        {
            await Task.Delay(pause);
            await writer.WriteAsync(new byte[40]);
        }
        await writer.CompleteAsync();
    }

    private static async Task<long> ReadAllAsync(PipeReader reader)
    {
        for (long all = 0; ;)
        {
            ReadResult read = await reader.ReadAsync();
            all += read.Buffer.Length;
            reader.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted)
                return all;
        }
    }

    private sealed class Splitter
    {
        private int _parts;

        public Pipe Lines { get; } = new(Small);

        public Pipe Pictures { get; } = new(Small);

        public async Task SplitAsync(TimeSpan pause)
        {
            for (; _parts < 20; _parts++)
            {
                await Task.Delay(pause);
                PipeWriter part = _parts % 2 == 0 ? Lines.Writer : Pictures.Writer;
                await part.WriteAsync(new byte[30]);
            }
            await Lines.Writer.CompleteAsync();
            await Pictures.Writer.CompleteAsync();
        }
    }

    private sealed class Beating
    {
        private int _beats;

        public Splitter Parts { get; } = new();

        public async Task BeatAsync()
        {
            for (; ; _beats++)
            {
                await Task.Delay(Long);
                await Parts.Lines.Writer.WriteAsync(new byte[1]);
            }
        }
    }

    private sealed class Streaming
    {
        private int _prints;

        public Splitter Parts { get; } = new();

        public async Task PrintAsync()
        {
            Stream lines = Parts.Lines.Writer.AsStream();
            await Task.Delay(Long);
            await lines.WriteAsync(new byte[1]);
            _prints++;
        }
    }

    private sealed class Copying
    {
        private int _copies;

        public Splitter Parts { get; } = new();

        public async Task CopyAsync()
        {
            using var pages = new System.IO.Pipes.AnonymousPipeServerStream(System.IO.Pipes.PipeDirection.In);
            await pages.CopyToAsync(Parts.Lines.Writer);
            _copies++;
        }
    }

    private sealed class Peer
    {
        private int _turns;

        public Pipe Incoming { get; } = new(Small);

        public Peer? Other { get; set; }

        public async Task EchoAsync()
        {
            for (; ; _turns++)
            {
                ReadResult read = await Incoming.Reader.ReadAsync();
                await Other!.Incoming.Writer.WriteAsync(new byte[100]);
                Incoming.Reader.AdvanceTo(read.Buffer.End);
            }
        }
    }

    // Of who reads, no code is seen.
    private sealed class Streamed
    {
        private readonly Pipe _bytes = new(Small);
        private int _read;

        public async Task FillAsync()
        {
            for (; ; _read--)
                await _bytes.Writer.WriteAsync(new byte[40]);
        }

        public async Task DrainAsync()
        {
            Stream rows = _bytes.Reader.AsStream();
            byte[] one = new byte[1];
            while (await rows.ReadAsync(one) > 0)
            {
                _read++;
                await Task.Delay(Long);
            }
        }
    }

    private sealed class Store
    {
        private readonly SemaphoreSlim _open = new(1, 1);
        private readonly Pipe _rows = new(Small);
        private long _written;

        public async Task FillAsync(CancellationToken stop)
        {
            await _open.WaitAsync(CancellationToken.None);
            try
            {
                for (int i = 0; i < 9; i++)
                {
                    _rows.Writer.GetSpan(40)[..40].Fill(1);
                    _rows.Writer.Advance(40);
                    await _rows.Writer.FlushAsync(stop);
                }
            }
            finally
            {
                _open.Release();
            }
        }

        public async Task DrainAsync(TimeSpan pause)
        {
            for (; ; )
            {
                ReadResult read = await _rows.Reader.ReadAsync();
                await Task.Delay(pause);
                await WriteAsync(read.Buffer.Length);
                _rows.Reader.AdvanceTo(read.Buffer.End);
            }
        }

        private async Task WriteAsync(long rows)
        {
            await _open.WaitAsync();
            _written += rows;
            _open.Release();
        }
    }
}
#endif
