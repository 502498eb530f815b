// The user must see the two frames of this file around the frames that the framework has in between: a reader over a
// pipe's stream. The truth holds the frames of this file only.
using System.IO.Pipelines;
using System.Text;
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("a StreamReader over a pipe: the framework's own async frames at the bottom")]
public static class FrameworkFrames
{
    public static async Task Run(Trail t)
    {
        int length = await ReadOrderAsync(t.At());
        GC.KeepAlive(length);
    }

    private static async Task<int> ReadOrderAsync(Trail t)
    {
        var pipe = new Pipe();
        using var reader = new StreamReader(pipe.Reader.AsStream());
        t.Rest("StreamReader.ReadLineAsync", () => Send(pipe.Writer), "Pipe read, 0 bytes buffered, writer open");
        t.At(); string? order = await reader.ReadLineAsync();
        return order?.Length ?? -1;
    }

    private static void Send(PipeWriter writer)
    {
        writer.Write(Encoding.ASCII.GetBytes("bread\n"));
        writer.Complete();
    }

    private static void Write(this PipeWriter writer, byte[] bytes)
    {
        bytes.CopyTo(writer.GetSpan(bytes.Length));
        writer.Advance(bytes.Length);
    }
}
