using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Model;

namespace Async2.Analysis.Holders;

/// <summary>Something that is waited for, and who lets those go on who do, as far as code tells (decision 69).</summary>
/// <param name="type">Type of its task; null if it has none, or that is not known.</param>
/// <param name="isPromise">It is a promise; otherwise a semaphore that is a signal, a source of value tasks, an event, a channel, a pipe.</param>
internal sealed class AwaitedItem(string? type, bool isPromise)
{
    /// <summary>Operations and thread segments whose code does, with the places of their frames.</summary>
    public List<(int Node, int Place)> By { get; set; } = [];

    /// <summary>The segment of the thread that executes a callback which completes it when it returns: no code needs to tell that, and nobody before it counts. -1 for none.</summary>
    public int Callback { get; set; } = -1;

    /// <summary>It is an event that the program has given to the timer, and could set itself.</summary>
    public bool IsEvent { get; init; }

    /// <summary><see cref="PromiseCalls.Channel"/> or <see cref="PromiseCalls.Pipe"/> for something that is empty, and which somebody reads that others wait for; null for what is none of them.</summary>
    public string? Queue { get; init; }

    /// <summary>It is a promise that no root reaches, except through those who wait: nobody else can complete it.</summary>
    public bool IsOrphan { get; init; }

    /// <summary>A method of the user awaits the task of its TaskCompletionSource, which it has; so it is none of a framework's.</summary>
    public bool IsOfUser { get; set; }

    /// <summary>Only a service completes it that a host has not started yet.</summary>
    public bool IsForService { get; set; }

    /// <summary>What is waited for, where that is a channel or a pipe that is empty.</summary>
    public static string? EmptyQueue(WaitReason? reason) => reason switch
    {
        { Kind: WaitKind.Channel, Resource: not 0, Action: not WaitAction.Completion, Subject: { } subject } when subject.StartsWith("Channel", StringComparison.Ordinal) && reason.Says(WaitFactKey.Items, 0) => PromiseCalls.Channel,
        // What is left in a pipe is not enough for its reader.
        { Kind: WaitKind.Pipe, Resource: not 0, Action: WaitAction.Read } when reason.Says(WaitFactKey.WriterCompleted, 0) => PromiseCalls.Pipe,
        _ => null,
    };

    /// <summary>It may be what code lets go on of which only the type is known (<see cref="Completed.Unknown"/>).</summary>
    public bool IsOfType(string text)
        => text == Completed.Anything || (Queue is not null || PromiseCalls.IsQueue(text) ? text == Queue : isPromise ? text.Length > 0 && SourceTypes.CanBe(text, type) : text.Length == 0);
}
