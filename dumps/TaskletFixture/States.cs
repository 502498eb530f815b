extern alias experiment;
using System.Runtime.CompilerServices;
using experiment::TaskletFixture.Runtime;
using Owner = experiment::System.Runtime.CompilerServices.RuntimeHelpers.RuntimeAsyncMaintainedData;
using RuntimeHelpers = experiment::System.Runtime.CompilerServices.RuntimeHelpers;

namespace TaskletFixture;

/// <summary>Everything that can be the matter with a stack that is not just suspended.</summary>
internal static class States
{
    public static void Start(Truth truth)
    {
        if (truth.HasList)
        {
            Owner executing = Suspend(truth, "executing", "active");
            NativeTasklets.SetGeneration(executing.Innermost, -1, callersToo: true);
        }
        Suspend(truth, "not suspended", "active").SetSuspendActive(0);
        Owner aged = Suspend(truth, "aged", "awaiting");
        NativeTasklets.SetGeneration(aged.Innermost, 2, callersToo: true);
        NativeTasklets.SetGeneration(NativeTasklets.Next(aged.Innermost), 0, callersToo: false);
        Suspend(truth, "unlisted", "awaiting", owner => NativeTasklets.Unregister(owner.Innermost));
        if (truth.HasList)
        {
            Lose(truth, "owner collected", trail => RuntimeHelpers.StartAndForget(Call, trail));
            Lose(truth, "ended by an exception", LeaveByException);
        }
        new Resumed().Start(truth, "suspended again", spins: false);
    }

    /// <summary>A stack of three frames.</summary>
    private static Owner Suspend(Truth truth, string name, string state, Action<Owner>? then = null)
    {
        Trail trail = truth.Open(name);
        trail.Stack.State = state;
        truth.Kept.Add(RuntimeHelpers.Start(Call, trail));
        if (state == "active")
            trail.Stack.Leaf = null;
        then?.Invoke(trail.Stack.Owner!);
        return trail.Stack.Owner!;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Call(Trail t)
    {
        Goods.Use(Shop.Pack(t.At()));
        Goods.Use(t);
    }

    // On a thread of its own, so that nothing on this stack keeps the owner.
    private static void Lose(Truth truth, string name, Action<Trail> start)
    {
        WeakReference<Owner>? owner = null;
        var thread = new Thread(() =>
        {
            Trail trail = truth.Open(name);
            trail.Stack.Note = "nothing refers to its tasklets but the live list";
            start(trail);
            // Nobody is left who knows what it waits for.
            (trail.Stack.State, trail.Stack.Leaf) = (null, null);
            owner = new(trail.Stack.Owner!);
            trail.Stack.Owner = null;
            // A pending task may refer to it.
            truth.Kept.Remove(trail.Stack.Gate);
            trail.Stack.Gate = null!;
            Trail.Stop();
        });
        thread.Start();
        thread.Join();
        for (int i = 0; owner!.TryGetTarget(out _); i++)
        {
            if (i == 100)
                throw new InvalidOperationException($"{name}: its owner was not collected");
            GC.Collect();
            Thread.Sleep(10);
        }
    }

    // The way it comes about in the experiment: the innermost frame is resumed and throws, and nobody deletes its callers.
    private static void LeaveByException(Trail trail)
    {
        var call = new Throwing();
        Task task = RuntimeHelpers.Start(call.Order, trail);
        trail.Stack.Gate.SetResult(1);
        Task.WaitAny(task);
        if (task.Exception is null)
            throw new InvalidOperationException("it did not throw");
    }

    private sealed class Throwing
    {
        private bool _isResumed;

        [MethodImpl(MethodImplOptions.NoInlining)]
        public void Order(Trail t)
        {
            Pay(t.At());
            Goods.Use(t);
            Goods.Use(this);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private void Pay(Trail t)
        {
            Trail callee = t.At();
            RuntimeHelpers.UnsafeAwaitAwaiterFromRuntimeAsync(callee.Gate().GetAwaiter());
            // Only its callers stay.
            t.Forget();
            Tasklets.SetBody(NativeTasklets.Next(t.Stack.Owner!.Innermost), Fail);
            Goods.Use(t);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private void Fail()
        {
            _isResumed = true;
            Goods.Use(_isResumed);
            throw new InvalidOperationException("the card was refused");
        }
    }
}
