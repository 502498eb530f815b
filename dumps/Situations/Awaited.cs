using System.Collections.Concurrent;
using System.Diagnostics;
using System.Threading.Channels;

namespace Situations;

/// <summary>Waits for a file that gives nothing yet, for what is only known at run time, and in several places for one promise that nobody completes.</summary>
public static class Awaited
{
    private static readonly TaskCompletionSource<string> Never = new();

    /// <summary>Path of the file: a pipe with a name, to which nobody writes.</summary>
    private static readonly string Fifo = Path.Combine(Path.GetTempPath(), $"async2-awaited-{Environment.ProcessId}");

    private static readonly ConcurrentDictionary<string, Channel<int>> Ends = new();

    public static void Start(int count)
    {
        if (!OperatingSystem.IsWindows())
        {
            using (Process made = Process.Start("mkfifo", Fifo))
                made.WaitForExit();
            // It is open, so it needs its name no more.
            var file = new FileStream(Fifo, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 1, useAsync: true);
            File.Delete(Fifo);
            Marks.Keep(file);
            Marks.Keep(ReadAsync(file));
        }
        Marks.Keep(AnyAsync(Never));
        for (int i = 0; i < 3; i++)
            Marks.Keep(OftenAsync());
        Marks.Keep(OnceAsync());
        foreach (Channel<int> channel in (Channel<int>[])[Channel.CreateUnbounded<int>(), Channel.CreateBounded<int>(5), Channel.CreateUnbounded<int>(new() { SingleReader = true })])
            Marks.Keep(EndAsync(Ends[channel.GetType().Name] = channel));
        // Whoever reads is told to begin at the end, and the end comes when all is read.
        var full = Channel.CreateUnbounded<string>();
        full.Writer.TryWrite("first");
        full.Writer.TryWrite("second");
        full.Writer.Complete();
        Marks.Keep(AllAsync(full.Reader));
        Marks.Keep(LostAsync());
        Thread.Sleep(500);
    }

    private static async Task<int> ReadAsync(FileStream file)
    {
        byte[] bytes = new byte[10];
        Marks.Here("file"); int read = await file.ReadAsync(bytes);
        return read + bytes[0];
    }

    private static async Task<int> AnyAsync(dynamic gate)
    {
        Marks.Here("dynamic"); string text = await gate.Task;
        return text.Length;
    }

    private static async Task<int> OftenAsync() => (await Never.Task.At("often")).Length;

    private static async Task<int> OnceAsync()
    {
        Marks.Here("once"); string text = await Never.Task;
        return text.Length + 1;
    }

    private static async Task<int> EndAsync(Channel<int> channel)
    {
        channel.Writer.TryWrite(1);
        Marks.Here("end"); await channel.Reader.Completion;
        return channel.Reader.Count;
    }

    private static async Task<int> AllAsync(ChannelReader<string> reader)
    {
        Marks.Here("all"); await reader.Completion;
        return reader.Count;
    }

    private static async Task<int> LostAsync()
    {
        ChannelReader<double> reader = Channel.CreateBounded<double>(2).Reader;
        Marks.Here("lost"); await reader.Completion;
        return reader.Count;
    }
}
