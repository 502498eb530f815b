extern alias experiment;

using System.Runtime.CompilerServices;
using Net11Fixture.Support;
using RuntimeHelpers = experiment::System.Runtime.CompilerServices.RuntimeHelpers;

namespace JitFixture;

/// <summary>Hands the chain of a suspended method from the task that .NET 10 made for it to a thunk as the async2 experiment's.</summary>
internal static class Thunks
{
    private const int RanToCompletion = 0x1000000;

    /// <param name="suspended">A runtime-async method's task.</param>
    /// <param name="awaited">What its innermost method awaits.</param>
    /// <param name="isValue">The thunk of a method that returns a value task.</param>
    /// <returns>The task that users of the experiment hold.</returns>
    public static Task<int> Instead(Task<int> suspended, Task awaited, bool isValue = false)
    {
        object head = TaskFields.StateObject(suspended) ?? throw new InvalidOperationException("nothing is suspended: was runtime-async on?");
        if (head.GetType().Name != "Continuation")
            throw new InvalidOperationException($"a {head.GetType()} is no continuation");
        // The old task waits for nothing and has nothing to do any more.
        TaskFields.ContinuationObject(awaited) = null;
        TaskFields.Flags(suspended) |= RanToCompletion;
        INotifyCompletion notifier = awaited.GetAwaiter();
        return Truth.Keep(isValue ? RuntimeHelpers.FinalizeValueTaskReturningThunk<int>(head, notifier).AsTask()! : RuntimeHelpers.FinalizeTaskReturningThunk<int>(head, notifier)!);
    }
}
