using Async2.Analysis.Model;

namespace Async2.Analysis.Layouts;

/// <summary>A runtime type that stands for a wait.</summary>
/// <param name="Kind">What is waited for.</param>
/// <param name="Api">What the user called to wait; null when the type's own name says it best.</param>
/// <param name="Owner">Type that the user called it on, where that is not the one whose code runs.</param>
internal readonly record struct KnownWait(WaitKind Kind, string? Api, string? Owner = null);

/// <summary>Names of the runtime's promises and sources, newest first, with the word that a user knows them by (.NET 10.0.12).</summary>
internal static class KnownWaits
{
    private static readonly (string Prefix, KnownWait Wait)[] Table =
    [
        ("System.Threading.Tasks.Task+DelayPromise", new(WaitKind.Timer, "Task.Delay")), // also DelayPromiseWithCancellation
        ("System.Threading.PeriodicTimer", new(WaitKind.Timer, "PeriodicTimer")),
        ("System.Threading.SemaphoreSlim", new(WaitKind.Semaphore, "SemaphoreSlim")),
        ("System.Threading.Channels.", new(WaitKind.Channel, "Channel", "Channel")),
        ("System.Net.Sockets.", new(WaitKind.Socket, null)),
        ("System.IO.Pipelines.", new(WaitKind.Pipe, null)),
        ("System.Threading.Tasks.Task+WhenAllPromise", new(WaitKind.Task, "Task.WhenAll")),
        ("System.Threading.Tasks.Task+TwoTaskWhenAnyPromise", new(WaitKind.Task, "Task.WhenAny")),
        ("System.Threading.Tasks.TaskFactory+CompleteOnInvokePromise", new(WaitKind.Task, "Task.WhenAny")),
        ("System.Threading.Tasks.Task+WhenEachState", new(WaitKind.Task, "Task.WhenEach")),
        ("System.Threading.Tasks.UnwrapPromise", new(WaitKind.Task, "Task.Run")),
        ("System.Threading.Tasks.Task+CancellationPromise", new(WaitKind.Task, "Task.WaitAsync")),
        // FSharp.Core 10, what asyncs of F# wait for.
        ("System.Threading.Timer", new(WaitKind.Timer, "Async.Sleep")),
        ("System.Threading.RegisteredWaitHandle", new(WaitKind.Thread, "Async.AwaitWaitHandle")),
        ("Microsoft.FSharp.Control.Mailbox<", new(WaitKind.Channel, "MailboxProcessor.Receive")),
        ("Microsoft.FSharp.Control.AsyncPrimitives+ResultCell<", new(WaitKind.Task, "result of an async")),
        (FSharpAsyncLayout.Closures + "Parallel@", new(WaitKind.Task, "Async.Parallel")),
        (FSharpAsyncLayout.Closures + "Choice@", new(WaitKind.Task, "Async.Choice")),
        (FSharpAsyncLayout.Closures, new(WaitKind.Custom, "Async.FromContinuations")),
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
