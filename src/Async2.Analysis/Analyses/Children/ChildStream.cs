using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses.Children;

/// <summary>A stream of a process that this one has started, and another process which decides when the wait for it ends.</summary>
/// <param name="Resource">Address of what is waited for.</param>
/// <param name="Process">Id of the process that was started.</param>
/// <param name="Stream">Which of its streams it is.</param>
/// <param name="Other">Id of the process that decides, which may be the same.</param>
/// <param name="Name">That one's name, if known.</param>
internal sealed record ChildStream(ulong Resource, long Process, string Stream, long Other, string? Name)
{
    /// <summary>Null if a wait is not for such a stream, or has a limit of time.</summary>
    /// <param name="reason">Why somebody waits.</param>
    /// <param name="key">The fact that names the process which decides.</param>
    public static ChildStream? Of(WaitReason reason, WaitFactKey key)
    {
        if (reason.Kind is not (WaitKind.Process or WaitKind.Socket) || reason.EndsByItself)
            return null;
        long process = 0;
        string? stream = null;
        // What is known of the other process stands behind the stream, and both behind the process.
        foreach (WaitFact fact in reason.Shared)
        {
            if (fact.Key == key)
                return new(reason.Resource, process, stream ?? "output", fact.Number, fact.Text);
            if (fact.Key == WaitFactKey.ProcessId)
                process = fact.Number;
            else if (fact.Key is WaitFactKey.UnreadStream or WaitFactKey.StreamOf)
                stream = fact.Text;
        }
        return null;
    }
}
