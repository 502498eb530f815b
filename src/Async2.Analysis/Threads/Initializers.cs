using Async2.Analysis.Layouts;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Threads;

/// <summary>
/// Threads that wait until another thread has initialized a class. No object represents this wait: the thread that runs the initializer
/// has it on its stack, and the waiting thread has the class's method table in the frame that calls the runtime, or in the native frames below.
/// </summary>
internal sealed class Initializers(TargetMemory memory)
{
    // Frames of the runtime's native code below the managed one (10.0.12: CheckRunClassInitThrowing and what waits in it).
    private const ulong NativeBytes = 4096;
    private const ulong FrameLimit = 64 * 1024;

    private readonly Dictionary<ulong, (string Name, int Thread)> _running = [];
    private readonly Dictionary<int, List<WalkedFrame>> _asking = [];

    /// <summary>Notes what a thread has to do with initializers.</summary>
    public void Note(int thread, List<WalkedFrame> frames)
    {
        foreach (WalkedFrame frame in frames)
        {
            if (frame.Frame.Method is { Facts.RawName: ".cctor", Method.Type: { Name: { } name } type })
                _running.TryAdd(type.MethodTable, (name, thread));
        }
        if (frames is [{ Role: FrameRole.InitializesClass }, ..])
            _asking[thread] = frames;
    }

    /// <summary>The segments, with those of threads that wait for an initializer blocked.</summary>
    public IReadOnlyList<ThreadSegment> Join(List<ThreadSegment> segments)
    {
        foreach ((int thread, List<WalkedFrame> frames) in _asking)
        {
            int segment = segments.FindIndex(s => s.ThreadId == thread);
            if (segment >= 0 && Awaited(thread, frames[0]) is { } wait)
                segments[segment] = segments[segment] with { Initializer = wait, BlockedIn = frames[0].Frame.Method, BlockedBy = frames[0].Frame.Method };
        }
        return segments;
    }

    // If several classes are found there, none is reported.
    private InitializerWait? Awaited(int thread, WalkedFrame frame)
    {
        if (_running.Count == 0 || frame.StackPointer < NativeBytes || frame.StackEnd - frame.StackPointer > FrameLimit)
            return null;
        var found = new HashSet<InitializerWait>();
        for (ulong at = frame.StackPointer - NativeBytes; at < frame.StackEnd; at += (ulong)memory.PointerSize)
        {
            if (memory.TryReadPointer(at, out ulong word) && _running.TryGetValue(word, out (string Name, int Thread) maker) && maker.Thread != thread)
                found.Add(new(maker.Name, maker.Thread));
        }
        return found.Count == 1 ? found.Single() : null;
    }
}
