extern alias net11;

using System.Runtime.InteropServices;
using net11::System.Runtime.CompilerServices;
using Net11Fixture.Support;

namespace Net11Fixture;

/// <summary>Continuations that no honest runtime makes, or that are torn. What is sound of each chain is to be shown.</summary>
public static unsafe class Damaged
{
    public static void Start()
    {
        // Comes back to itself.
        Chain cyclic = Make(t => Shop.ServeAsync(t, 1));
        cyclic.Continuations[2].Next = cyclic.Continuations[1];

        // Its place is in memory that is not there; the callers are.
        Make(t => Shop.ServeAsync(t, 2)).Continuations[1].ResumeInfo = (ResumeInfo*)0xdead0000;

        // Its place is in no code.
        void* noCode = NativeMemory.AllocZeroed(64);
        Chain.SetPlace(Make(t => Shop.ServeAsync(t, 3)).Continuations[1], (nint)noCode);

        // It has no place at all, and flags that point behind its data.
        Chain empty = Make(t => Shop.ServeAsync(t, 4));
        empty.Continuations[0].Next = new Continuation_0 { Next = empty.Continuations[1], Flags = (ContinuationFlags)(-1), State = int.MinValue };

        // A chain that is deeper than any stack.
        Chain deep = Make(t => Shop.SendAsync(t, 5));
        Continuation caller = deep.Continuations[0];
        for (int i = 0; i < 200_000; i++)
            caller = caller.Next = new Continuation_0 { ResumeInfo = caller.ResumeInfo, State = caller.State };

        // The task's head is no continuation.
        TaskFields.StateObject(Make(t => Shop.SendAsync(t, 6)).Task) = "no continuation";

        // Awaits what lies in no heap: no reference of a live process can, so only its waiter is wrong.
        TaskFields.ContinuationObject(Make(t => Shop.SendAsync(t, 7)).Task) = new RuntimeAsyncTaskContinuation();
    }

    private static Chain Make(Func<Trail, Task> outermost)
    {
        Chain chain = Chain.Of(outermost);
        chain.Await(Truth.Keep(new TaskCompletionSource<int>()).Task);
        return chain;
    }
}
