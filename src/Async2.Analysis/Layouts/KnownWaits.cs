namespace Async2.Analysis.Layouts;

/// <summary>The family of a well-known awaited thing.</summary>
internal enum WaitFamily
{
    Unknown,
    Task,
    Timer,
    Semaphore,
    Channel,
    Socket,
    Pipe,

    /// <summary>A pool of connections.</summary>
    Pool,
    Process,
    Lock,

    /// <summary>What somebody sets: an event, a countdown, a barrier.</summary>
    Event,
    Thread,

    /// <summary>A value task source or an awaiter of the program's own.</summary>
    Custom,
}

/// <summary>A runtime type that stands for a wait.</summary>
/// <param name="Family">Its family.</param>
/// <param name="Api">What the user called to wait; null when the type's own name says it best.</param>
/// <param name="Owner">Type that the user called it on, where that is not the one whose code runs.</param>
internal readonly record struct KnownWait(WaitFamily Family, string? Api, string? Owner = null);

/// <summary>Names of the runtime's promises and sources, newest first, with the word that a user knows them by (.NET 10.0.12).</summary>
internal static class KnownWaits
{
    private static readonly (string Prefix, KnownWait Wait)[] Table =
    [
        ("System.Threading.Tasks.Task+DelayPromise", new(WaitFamily.Timer, "Task.Delay")), // also DelayPromiseWithCancellation
        ("System.Threading.PeriodicTimer", new(WaitFamily.Timer, "PeriodicTimer")),
        ("System.Threading.SemaphoreSlim", new(WaitFamily.Semaphore, "SemaphoreSlim")),
        ("System.Threading.Channels.", new(WaitFamily.Channel, "Channel", "Channel")),
        ("System.Net.Sockets.", new(WaitFamily.Socket, null)),
        ("System.IO.Pipelines.", new(WaitFamily.Pipe, null)),
        ("System.Threading.Tasks.Task+WhenAllPromise", new(WaitFamily.Task, "Task.WhenAll")),
        ("System.Threading.Tasks.Task+TwoTaskWhenAnyPromise", new(WaitFamily.Task, "Task.WhenAny")),
        ("System.Threading.Tasks.TaskFactory+CompleteOnInvokePromise", new(WaitFamily.Task, "Task.WhenAny")),
        ("System.Threading.Tasks.Task+WhenEachState", new(WaitFamily.Task, "Task.WhenEach")),
        ("System.Threading.Tasks.UnwrapPromise", new(WaitFamily.Task, "Task.Run")),
        ("System.Threading.Tasks.Task+CancellationPromise", new(WaitFamily.Task, "Task.WaitAsync")),
        // FSharp.Core 10, what asyncs of F# wait for.
        ("System.Threading.Timer", new(WaitFamily.Timer, "Async.Sleep")),
        ("System.Threading.RegisteredWaitHandle", new(WaitFamily.Thread, "Async.AwaitWaitHandle")),
        ("Microsoft.FSharp.Control.Mailbox<", new(WaitFamily.Channel, "MailboxProcessor.Receive")),
        ("Microsoft.FSharp.Control.AsyncPrimitives+ResultCell<", new(WaitFamily.Task, "result of an async")),
        (FSharpAsyncLayout.Closures + "Parallel@", new(WaitFamily.Task, "Async.Parallel")),
        (FSharpAsyncLayout.Closures + "Choice@", new(WaitFamily.Task, "Async.Choice")),
        (FSharpAsyncLayout.Closures, new(WaitFamily.Custom, "Async.FromContinuations")),
    ];

    /// <summary>Null for a type that is not well known.</summary>
    public static KnownWait? Of(string? runtimeTypeName)
    {
        if (runtimeTypeName is null)
            return null;
        foreach ((string prefix, KnownWait wait) in Table)
        {
            if (runtimeTypeName.StartsWith(prefix, StringComparison.Ordinal))
                return wait;
        }
        return null;
    }
}
