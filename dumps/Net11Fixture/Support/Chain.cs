extern alias net11;

using net11::System.Runtime.CompilerServices;
using AsyncHelpers = net11::System.Runtime.CompilerServices.AsyncHelpers;

namespace Net11Fixture.Support;

/// <summary>A suspended chain in .NET 11's shape: its task, and the continuation of each method.</summary>
internal sealed unsafe class Chain
{
    private Chain(AsyncHelpers.RuntimeAsyncTask<int> task, Continuation_56_0_5[] continuations, IReadOnlyList<TruthFrame> frames)
        => (Task, Continuations, Frames) = (task, continuations, frames);

    public AsyncHelpers.RuntimeAsyncTask<int> Task { get; }

    /// <summary>Innermost first, each the callee of the next.</summary>
    public Continuation_56_0_5[] Continuations { get; }

    public IReadOnlyList<TruthFrame> Frames { get; }

    /// <summary>Its innermost continuation is the head: nothing was made by hand.</summary>
    public Continuation Head
    {
        set => TaskFields.StateObject(Task) = value;
    }

    /// <summary>Calls async methods that end in <see cref="Trail.Hold"/>, and lays out what .NET 11 would have kept of them.</summary>
    public static Chain Of(Func<Trail, Task> outermost)
    {
        var trail = new Trail();
        Exception held = outermost(trail).Exception?.InnerException ?? throw new InvalidOperationException("nothing was held");
        if (held is not HeldException)
            throw held;
        IReadOnlyList<TruthFrame> frames = trail.Frames;
        nint[] addresses = ReturnAddresses.Of(held, frames.Count);
        var continuations = new Continuation_56_0_5[frames.Count];
        Continuation? caller = null;
        for (int i = frames.Count - 1; i >= 0; i--)
            caller = continuations[i] = Suspended(addresses[i], caller, trail.Instances[i]);
        var task = Truth.Keep(new AsyncHelpers.RuntimeAsyncTask<int>());
        TaskFields.SetPending(task);
        TaskFields.Action(task) = (Action)task.DispatchContinuations;
        return new Chain(task, continuations, frames) { Head = continuations[0] };
    }

    /// <summary>It waits for a task, as <c>await task</c> leaves it.</summary>
    /// <param name="awaited">The task.</param>
    /// <param name="isRegistered">The task knows it: not when the task has completed.</param>
    public RuntimeAsyncTaskContinuation Await(Task awaited, bool isRegistered = true)
    {
        var head = new RuntimeAsyncTaskContinuation { Task = awaited, RuntimeAsyncTask = Task, Next = Continuations[0] };
        SetPlace(head, 0);
        Head = head;
        if (isRegistered)
            TaskFields.AddWaiter(awaited, head);
        return head;
    }

    /// <summary>The same for an IValueTaskSource, which keeps the chain's task as state of a callback.</summary>
    public void AwaitSource(object source, short token)
    {
        var head = new AsyncHelpers.ValueTaskSourceContinuation { Source = source, Token = token, Next = Continuations[0] };
        SetPlace(head, 0);
        Head = head;
    }

    /// <summary>Records the stack that begins with this chain.</summary>
    public void Record(string name, params IEnumerable<TruthFrame>[] callers) => Truth.Add(name, Frames.Concat(callers.SelectMany(c => c)));

    public static void SetPlace(Continuation continuation, nint diagnosticIP)
    {
        (nint info, int state) = ResumeTables.For(diagnosticIP);
        continuation.ResumeInfo = (ResumeInfo*)info;
        continuation.State = state;
    }

    private static Continuation_56_0_5 Suspended(nint address, Continuation? caller, object? instance)
    {
        var made = new Continuation_56_0_5
        {
            Next = caller,
            Flags = ContinuationFlags.ContinueOnThreadPool | Index(1, ContinuationFlags.ExecutionContextIndexFirstBit)
                | Index(2, ContinuationFlags.ContinuationContextIndexFirstBit) | Index(3, ContinuationFlags.ExceptionIndexFirstBit)
                | Index(6, ContinuationFlags.ResultIndexFirstBit),
            ExecutionContext = ExecutionContext.Capture(),
            // What flows with a method is not what it waits for, even if it is a task.
            ContinuationContext = Unrelated,
            Exception = Unrelated,
            First = instance,
            Number = 17,
        };
        SetPlace(made, address);
        return made;
    }

    private static readonly Task Unrelated = new TaskCompletionSource().Task;

    private static ContinuationFlags Index(int index, ContinuationFlags firstBit) => (ContinuationFlags)(index << (int)firstBit);
}
