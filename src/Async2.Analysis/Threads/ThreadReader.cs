using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Threads.Unwinding;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Threads;

/// <summary>
/// Cuts the stacks of threads into segments: on the heap, an operation that a thread executes still shows its last suspension,
/// so the thread's stack decides.
/// </summary>
internal sealed class ThreadReader
{
    private readonly Target _target;
    private readonly HeapIndex _index;
    private readonly StackWalk _walk;
    private readonly DispatcherReader _dispatchers;
    private readonly PendingTasks? _tasks;
    private readonly BlockedFrames _blocked;
    private readonly Initializers _initializers;
    private readonly EndedMethods _ended;
    private readonly AsyncTypes _types;
    private readonly List<int> _unseen = [];
    private readonly List<int> _cyclic = [];
    private readonly List<int> _cut = [];
    private readonly List<int> _inNative = [];
    private readonly List<int> _unplaced = [];
    private readonly List<(int Thread, WalkedFrame Frame, ThreadRoots Roots)> _resuming = [];

    /// <param name="target">The target.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="machines">Where state machines are in their boxes.</param>
    /// <param name="index">What threads may execute.</param>
    public ThreadReader(Target target, LoadedModules modules, StateMachineLayouts machines, HeapIndex index)
    {
        _target = target;
        _index = index;
        _walk = new StackWalk(modules);
        _dispatchers = new DispatcherReader(target, index.Layout.Facts);
        _tasks = index.Layout.Task is { } layout ? new(target, layout) : null;
        _blocked = new BlockedFrames(_tasks, _tasks is null ? null : new TaskHandles(target, index, _tasks));
        _initializers = new Initializers(target.Memory);
        _ended = new EndedMethods(target.Memory, machines, _tasks);
        _types = new AsyncTypes(index.Layout.Facts);
    }

    /// <summary>Managed ids of live threads whose registers the target does not have: they have no segments, whatever they do.</summary>
    public IReadOnlyList<int> Unseen => _unseen;

    /// <summary>Managed ids of threads whose stack leads back to itself: their innermost frames were read, and no objects.</summary>
    public IReadOnlyList<int> Cyclic => _cyclic;

    /// <summary>Managed ids of threads with more frames than are read.</summary>
    public IReadOnlyList<int> Cut => _cut;

    /// <summary>Managed ids of threads that stand in native code, or will return to it, and whose callers could not be found: managed frames are missing.</summary>
    public IReadOnlyList<int> InNative => _inNative;

    /// <summary>Managed ids of threads that run async methods of an operation that was not found, and has not ended.</summary>
    public IReadOnlyList<int> Unplaced => _unplaced;

    /// <summary>
    /// Items of the waiter lists of completed tasks that threads are going through (an object[] whose processed items are null),
    /// with the managed id of the thread.
    /// </summary>
    public IEnumerable<(ulong Items, int Thread)> Resuming()
        => _resuming.SelectMany(r => r.Roots.Of(r.Frame.StackPointer).Where(IsArray).Select(items => (items, r.Thread)));

    private static bool ResumesWaiters(WalkedFrame frame)
        => frame.Frame.Method.Facts is { } facts && ResumptionMethods.ResumesWaiters(facts.DeclaringType.FullName, facts.RawName);

    private bool IsArray(ulong address)
        => MethodTables.TryRead(_target.Memory, address, out ulong methodTable) && TypeLookup.Of(_target.Runtime, methodTable)?.Name == "System.Object[]";

    /// <summary>Segments of all threads, innermost of a thread first. None of a target that runs: its stacks change while they are read.</summary>
    public IReadOnlyList<ThreadSegment> Read(CancellationToken cancellation)
    {
        var segments = new List<ThreadSegment>();
        if (!_target.Origin.IsStill)
            return segments;
        using var native = new NativeLeaves(_target);
        foreach (ClrThread thread in _target.Runtime.Threads.Where(t => t.IsAlive))
        {
            if (cancellation.IsCancellationRequested)
                break;
            if (!ThreadContexts.Has(_target, thread))
                _unseen.Add(thread.ManagedThreadId);
            if (native.IsLost(thread))
                _inNative.Add(thread.ManagedThreadId);
            List<WalkedFrame> frames = _walk.Read(thread);
            NoteEnd(thread);
            if (frames is [{ CallsNative: true } innermost, ..] && SystemCalls.IsIn(_target, thread))
                frames[0] = innermost with { IsInSystem = true };
            _initializers.Note(thread.ManagedThreadId, frames);
            var roots = new ThreadRoots(thread);
            _resuming.AddRange(frames.Where(ResumesWaiters).Select(frame => (thread.ManagedThreadId, frame, roots)));
            CutIntoSegments(frames, thread, roots, segments);
        }
        return _initializers.Join(segments);
    }

    /// <summary>Looks at none: all live ones are unseen.</summary>
    public IReadOnlyList<ThreadSegment> LeaveOut()
    {
        _unseen.AddRange(_target.Runtime.Threads.Where(t => t.IsAlive).Select(t => t.ManagedThreadId));
        return [];
    }

    private void NoteEnd(ClrThread thread)
    {
        PhysicalStack stack = PhysicalStack.Of(thread);
        if (stack.Repeats)
            _cyclic.Add(thread.ManagedThreadId);
        else if (stack.IsCut)
            _cut.Add(thread.ManagedThreadId);
    }

    private void CutIntoSegments(List<WalkedFrame> frames, ClrThread thread, ThreadRoots roots, List<ThreadSegment> segments)
    {
        int start = 0;
        for (int i = 0; i < frames.Count; i++)
        {
            if (frames[i].Role is not (FrameRole.DrivesChain or FrameRole.DispatchesChain or FrameRole.DrivesStateMachine or FrameRole.DrivesTask))
                continue;
            ThreadSegment segment = Segment(frames, start, i, thread.ManagedThreadId, roots);
            Add(frames[i].Role == FrameRole.DispatchesChain ? Dispatched(segment, frames[i], thread, roots) : Driven(segment, frames.GetRange(start, i - start), frames[i], roots, isOuter: start > 0), segments);
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
            Frames = [.. own.Where(f => f.Role == FrameRole.None).Select(f => f.WithRoots(roots))],
            IsPlain = !own.Any(f => f.IsUser && IsAsync(f.Frame.Method)),
        };
        // A thread does not block in an outer segment: it runs the inner one.
        return start == 0 ? _blocked.Of(segment, own, roots) : segment;
    }

    private ThreadSegment Driven(ThreadSegment segment, List<WalkedFrame> own, WalkedFrame driver, ThreadRoots roots, bool isOuter)
    {
        ulong[] held = [.. roots.Of(driver.StackPointer)];
        if (driver.Role == FrameRole.DrivesTask)
        {
            ulong task = held.FirstOrDefault(IsPending);
            ulong awaiter = task == 0 ? 0 : _tasks?.AwaiterOf(task) ?? 0;
            return segment with { Task = task, Awaiter = awaiter, IsPlain = segment.IsPlain && awaiter == 0 };
        }
        ulong node = held.FirstOrDefault(root => _index.FindNode(root) is >= 0 and var found && !(isOuter && IsLentAgain(_index.Nodes[found])));
        ulong continuation = driver.Role == FrameRole.DrivesChain ? held.FirstOrDefault(root => _index.FindFrame(root) >= 0) : 0;
        // Of one that has ended, only what runs inside of it is shown, be it that a context of the user's own called that. Where nothing does, the thread is still in it.
        if (node == 0)
        {
            int running = own.Count(frame => frame.IsUser && IsAsync(frame.Frame.Method));
            bool hasEnded = _ended.IsAmong(held);
            if (running > 0 && !hasEnded && !Array.Exists(held, IsEndedChain))
                _unplaced.Add(segment.ThreadId);
            return segment with { Continuation = continuation, IsPlain = segment.IsPlain || (isOuter && running == 1 && hasEnded) };
        }
        NodeRow row = _index.Nodes[_index.FindNode(node)];
        IEnumerable<ulong> ofRuntime = own.Where(f => f.Role == FrameRole.RuntimeInternal).SelectMany(f => roots.Of(f.StackPointer));
        return segment with { RunsIn = row.Address, Continuation = continuation, RuntimeRoots = ofRuntime, IsPlain = false };
    }

    // A pooled box that waits while a frame drives it went back to the pool when its method had ended, and is another operation's now.
    private static bool IsLentAgain(in NodeRow row) => row is { Kind: NodeKind.Pooled, State: > NodeRow.RunningMachine };

    // The task is in the dispatcher, otherwise in the roots of its frame.
    private ThreadSegment Dispatched(ThreadSegment segment, WalkedFrame driver, ClrThread thread, ThreadRoots roots)
    {
        Dispatcher? found = _dispatchers.In(thread, driver);
        ulong noted = found?.Task ?? 0;
        ulong node = _index.FindNode(noted) >= 0 ? noted : roots.Of(driver.StackPointer).FirstOrDefault(IsChain);
        return segment with
        {
            RunsIn = node,
            // If the rest of the chain is unknown, its task stays in transition.
            HasLeftChain = found is not null,
            Continuation = found?.NextContinuation ?? 0,
            IsPlain = segment.IsPlain && node == 0,
        };
    }

    private bool IsChain(ulong address) => _index.FindNode(address) is >= 0 and var node && _index.Nodes[node].IsChain;

    private bool IsEndedChain(ulong address)
        => _tasks?.IsCompleted(address) == true && MethodTables.TryRead(_target.Memory, address, out ulong methodTable)
            && TypeLookup.Of(_target.Runtime, methodTable) is { } type && _types.Classify(type) == AsyncTypeKind.ChainTask;

    private bool IsPending(ulong address) => _tasks?.IsPending(address) == true;

    private static bool IsAsync(AsyncMethod method)
        => method.IsUserBody || (method.Facts is { RawName: "MoveNext" } facts && method.Module.Metadata?.NameOf(facts.Token) is { } name && name.Token != facts.Token);
}
