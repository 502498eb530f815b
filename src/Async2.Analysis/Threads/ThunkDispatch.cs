using Async2.Analysis.Nodes;

namespace Async2.Analysis.Threads;

/// <summary>
/// Which continuation a thunk of the async2 experiment resumes: its chain begins with the first that it resumed, and those that have
/// returned since are still linked. The frames of the runtime between the thunk and the user's code hold the one that runs.
/// </summary>
internal static class ThunkDispatch
{
    /// <summary>Address of the outermost continuation of the chain that the frames hold; 0 when they hold none.</summary>
    /// <param name="index">The continuations.</param>
    /// <param name="head">The first that was resumed.</param>
    /// <param name="frames">Frames of the runtime.</param>
    /// <param name="roots">What they hold.</param>
    public static ulong Resumed(HeapIndex index, ulong head, IEnumerable<WalkedFrame> frames, ThreadRoots roots)
    {
        var held = new HashSet<ulong>(frames.SelectMany(frame => roots.Of(frame.StackPointer)));
        ulong resumed = 0;
        int current = index.FindFrame(head);
        // A torn chain may be a circle.
        for (int i = 0; i < index.Frames.Count && current >= 0; i++, current = index.Frames.Next(current))
        {
            if (held.Contains(index.Frames.AddressOf(current)))
                resumed = index.Frames.AddressOf(current);
        }
        return resumed;
    }
}
