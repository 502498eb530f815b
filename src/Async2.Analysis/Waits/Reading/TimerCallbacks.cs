using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Timers whose callbacks are executed while somebody disposes of them and waits for that (<c>Timer.DisposeAsync</c>; System.Private.CoreLib 10.0.12, TimerQueueTimer).</summary>
internal static class TimerCallbacks
{
    /// <summary>Its methods are on the stack of a thread that executes a callback.</summary>
    public const string TypeName = "System.Threading.TimerQueueTimer";

    private const string Notified = "_notifyWhenNoCallbacksRunning";

    /// <summary>The task that is completed when the last callback has returned; 0 if nobody waits for that, or the object is not a timer.</summary>
    public static ulong PromiseOf(Target target, ulong timer)
        => TypeLookup.OfObject(target.Runtime, target.Memory, timer) is { Name: TypeName } type && type.GetFieldByName(Notified) is { Offset: >= 0 } field
            && target.Memory.TryReadPointer(timer + (ulong)(target.Memory.PointerSize + field.Offset), out ulong promise) ? promise : 0;
}
