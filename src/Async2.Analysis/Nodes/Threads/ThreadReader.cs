using Async2.Analysis.Code;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Nodes.Threads;

/// <summary>
/// Cuts the stacks of threads into segments: an operation that a thread executes still shows its last suspension on the heap,
/// and the truth is on the thread.
/// </summary>
internal sealed class ThreadReader(Target target, LoadedModules modules, HeapIndex index)
{
    private readonly StackWalk _walk = new(modules);
    private readonly DispatcherReader _dispatchers = new(target, index.Layout.Facts);
    private readonly PendingTasks? _tasks = index.Layout.Task is { } layout ? new(target, layout) : null;

    /// <summary>Segments of all threads, innermost of a thread first. None of a target that runs: its stacks change while they are read.</summary>
    public IReadOnlyList<ThreadSegment> Read(CancellationToken cancellation)
    {
        var segments = new List<ThreadSegment>();
        if (!target.Origin.IsStill)
            return segments;
        foreach (ClrThread thread in target.Runtime.Threads.Where(t => t.IsAlive))
        {
            if (cancellation.IsCancellationRequested)
                break;
            Cut(_walk.Read(thread), thread, new ThreadRoots(thread), segments);
        }
        return segments;
    }

    private void Cut(List<WalkedFrame> frames, ClrThread thread, ThreadRoots roots, List<ThreadSegment> segments)
    {
        int start = 0;
        for (int i = 0; i < frames.Count; i++)
        {
            if (frames[i].Role is not (FrameRole.DrivesChain or FrameRole.DispatchesChain or FrameRole.DrivesMachine or FrameRole.DrivesTask))
                continue;
            ThreadSegment segment = Segment(frames, start, i, thread.ManagedThreadId, roots);
            Add(frames[i].Role == FrameRole.DispatchesChain ? Dispatched(segment, frames[i], thread, roots) : Driven(segment, frames.GetRange(start, i - start), frames[i], roots), segments);
            start = i + 1;
        }
        Add(Segment(frames, start, frames.Count, thread.ManagedThreadId, roots), segments);
    }

    private static void Add(ThreadSegment segment, List<ThreadSegment> segments)
    {
        if (segment.Frames.Count > 0 || segment.RunsIn != 0 || segment.BlockedOn != 0)
            segments.Add(segment);
    }

    private ThreadSegment Segment(List<WalkedFrame> frames, int start, int end, int thread, ThreadRoots roots)
    {
        List<WalkedFrame> own = frames.GetRange(start, end - start);
        var segment = new ThreadSegment
        {
            ThreadId = thread,
            Frames = [.. own.Where(f => f.Role == FrameRole.None).Select(f => f.Frame)],
            IsPlain = !own.Any(f => f.IsUser && IsAsync(f.Frame.Method)),
        };
        // Below another segment the thread does not block: it runs that one.
        return start == 0 ? Blocked(segment, own, roots) : segment;
    }

    private ThreadSegment Blocked(ThreadSegment segment, List<WalkedFrame> frames, ThreadRoots roots)
    {
        int caller = CallerOf(frames);
        List<WalkedFrame> inner = frames.GetRange(0, caller);
        int blocking = inner.FindIndex(f => f.Role is FrameRole.Blocks or FrameRole.WaitsForTask);
        if (blocking < 0)
            return segment;
        ulong task = inner.Where(f => f.Role == FrameRole.WaitsForTask).SelectMany(f => roots.Of(f.StackPointer)).FirstOrDefault(IsPending);
        bool isEntryPoint = frames.Any(f => f.IsUser) && frames.Where(f => f.IsUser).All(f => f.Frame.Method.Facts?.RawName == EntryPoint);
        return segment with
        {
            // The compiler's entry point waits for an async Main as it should.
            BlockedOn = isEntryPoint ? 0 : task,
            IsPlain = segment.IsPlain && (task == 0 || isEntryPoint),
            BlockedIn = inner[blocking].Frame.Method,
            BlockingCall = inner[^1].Frame.Method,
            Roots = [.. frames.Take(caller + 1).SelectMany(f => roots.Of(f.StackPointer)).Distinct()],
            // A framework's frames between the wait and the user's say on whose behalf it is: they are folded, not lost.
            Frames = [.. frames.Skip(blocking).Where(f => f.Role == FrameRole.None).Select(f => f.Frame)],
        };
    }

    // Who called the framework to block: the user; or, where a generated method has the user's code inlined, whatever is there.
    private static int CallerOf(List<WalkedFrame> frames)
    {
        int user = frames.FindIndex(f => f.IsUser);
        int other = frames.FindIndex(f => f.Role == FrameRole.None);
        return user >= 0 ? user : other >= 0 ? other : frames.Count;
    }

    private ThreadSegment Driven(ThreadSegment segment, List<WalkedFrame> own, WalkedFrame driver, ThreadRoots roots)
    {
        ulong[] held = [.. roots.Of(driver.StackPointer)];
        if (driver.Role == FrameRole.DrivesTask)
        {
            ulong task = held.FirstOrDefault(IsPending);
            ulong awaiter = task == 0 ? 0 : _tasks?.AwaiterOf(task) ?? 0;
            return segment with { Task = task, Awaiter = awaiter, IsPlain = segment.IsPlain && awaiter == 0 };
        }
        ulong node = held.FirstOrDefault(root => index.FindNode(root) >= 0);
        ulong continuation = driver.Role == FrameRole.DrivesChain ? held.FirstOrDefault(root => index.FindFrame(root) >= 0) : 0;
        if (node == 0)
            return segment with { Continuation = continuation };
        NodeRow row = index.Nodes[index.FindNode(node)];
        if (row.IsThunk)
            continuation = ThunkDispatch.Resumed(index, row.Body, own.Where(f => f.Role == FrameRole.Machinery), roots);
        return segment with { RunsIn = row.Address, Continuation = continuation, IsPlain = false };
    }

    // The task is what the dispatcher notes, or else what its frame holds.
    private ThreadSegment Dispatched(ThreadSegment segment, WalkedFrame driver, ClrThread thread, ThreadRoots roots)
    {
        Dispatcher? found = _dispatchers.In(thread, driver);
        ulong noted = found?.Task ?? 0;
        ulong node = index.FindNode(noted) >= 0 ? noted : roots.Of(driver.StackPointer).FirstOrDefault(IsChain);
        return segment with
        {
            RunsIn = node,
            // Where nobody says how the chain goes on, its task stays in transition.
            HasLeftChain = found is not null,
            Continuation = found?.NextContinuation ?? 0,
            IsPlain = segment.IsPlain && node == 0,
        };
    }

    private bool IsChain(ulong address) => index.FindNode(address) is >= 0 and var node && index.Nodes[node].Kind == NodeKind.Chain;

    // Roslyn's name for the method that calls an async Main.
    private const string EntryPoint = "<Main>";

    private bool IsPending(ulong address) => _tasks?.AwaiterOf(address) is not null;

    private static bool IsAsync(AsyncMethod method)
        => method.IsUserBody || (method.Facts is { RawName: "MoveNext" } facts && method.Module.Metadata?.NameOf(facts.Token) is { } name && name.Token != facts.Token);
}
