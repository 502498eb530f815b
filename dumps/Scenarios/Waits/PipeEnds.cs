// The user must see at which end of a pipe a frame waits, and how much is in the pipe.
using System.IO.Pipelines;
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("Pipe: ReadAsync of an empty one and behind a part of a message, ReadAtLeastAsync, FlushAsync of a full one")]
public static class PipeEnds
{
    public static Task Run(Trail t) => Task.WhenAll(
        ReadAsync(t.Fork("read"), new Pipe()),
        ReadRestAsync(t.Fork("read the rest"), new Pipe()),
        ReadMuchAsync(t.Fork("read at least"), new Pipe()),
        FlushAsync(t.Fork("flush"), new Pipe(new PipeOptions(pauseWriterThreshold: 100, resumeWriterThreshold: 50))));

    private static async Task<long> ReadAsync(Trail t, Pipe pipe)
    {
        t.Rest("PipeReader.ReadAsync", () => pipe.Writer.Complete(), "Pipe read, 0 bytes buffered, writer open");
        t.At(); ReadResult read = await pipe.Reader.ReadAsync();
        return read.Buffer.Length;
    }

    private static async Task<long> ReadRestAsync(Trail t, Pipe pipe)
    {
        await pipe.Writer.WriteAsync(new byte[7]);
        ReadResult part = await pipe.Reader.ReadAsync();
        pipe.Reader.AdvanceTo(part.Buffer.GetPosition(2), part.Buffer.End);
        t.Rest("PipeReader.ReadAsync", () => pipe.Writer.Complete(), "Pipe read, 5 bytes buffered, all examined, writer open");
        t.At(); ReadResult read = await pipe.Reader.ReadAsync();
        return read.Buffer.Length;
    }

    private static async Task<long> ReadMuchAsync(Trail t, Pipe pipe)
    {
        await pipe.Writer.WriteAsync(new byte[7]);
        t.Rest("PipeReader.ReadAtLeastAsync", () => pipe.Writer.Complete(), "Pipe read, 7 bytes buffered, 64 wanted, writer open");
        t.At(); ReadResult read = await pipe.Reader.ReadAtLeastAsync(64);
        return read.Buffer.Length;
    }

    private static async Task<bool> FlushAsync(Trail t, Pipe pipe)
    {
        pipe.Writer.GetSpan(120);
        pipe.Writer.Advance(120);
        t.Rest("PipeWriter.FlushAsync", () => pipe.Reader.Complete(), "Pipe flush, 120 bytes buffered, goes on below 50, reader open");
        t.At(); FlushResult flushed = await pipe.Writer.FlushAsync();
        return flushed.IsCompleted;
    }
}
