using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses.Children;

/// <summary>Threads that write to a pipe which another process is to read: the program's own output, most often.</summary>
internal static class OwnOutput
{
    /// <summary>The process that is to read, <c>process 4711 (less)</c>, and the pipe; null for other waits.</summary>
    public static (string Reader, string Pipe)? Of(WaitReason reason)
        => reason.Shared.FirstOrDefault(fact => fact.Key == WaitFactKey.FullPipe).Text is not { } pipe ? null
            : (reason.Shared.FirstOrDefault(fact => fact.Key == WaitFactKey.ReadBy) is { Number: > 0 } reader ? ProcessText.Of(reader.Number, reader.Text) : "another process", pipe);
}
