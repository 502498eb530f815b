using Async2.Analysis.Model;

namespace Async2.Analysis.Formatting;

/// <summary>Text for what is waited for: the subject with what is awaited of it.</summary>
internal static class ActionFormatter
{
    private static readonly Dictionary<WaitAction, string> Behind = new()
    {
        [WaitAction.Read] = "read",
        [WaitAction.Write] = "write",
        [WaitAction.WaitToRead] = "wait to read",
        [WaitAction.WaitToWrite] = "wait to write",
        [WaitAction.Flush] = "flush",
        [WaitAction.Accept] = "accept",
        [WaitAction.Connect] = "connect",
        [WaitAction.Disconnect] = "disconnect",
        [WaitAction.Receive] = "receive",
        [WaitAction.ReceiveFrom] = "receive from",
        [WaitAction.ReceiveMessageFrom] = "receive message from",
        [WaitAction.Send] = "send",
        [WaitAction.SendPackets] = "send packets",
        [WaitAction.SendTo] = "send to",
        [WaitAction.Connection] = "connection",
        [WaitAction.Response] = "response",
        [WaitAction.Command] = "command",
        [WaitAction.Completion] = "completion",
    };

    private static readonly Dictionary<WaitAction, string> Alone = new()
    {
        [WaitAction.TypeWithoutName] = "a type without a name",
        [WaitAction.Unknown] = WaitFormatter.Unknown,
        [WaitAction.NoOwner] = "nothing: no object owns it",
        [WaitAction.NoOwnerExecuting] = "nothing: no object owns it, and it was executing",
        [WaitAction.RunsUnseen] = "running or blocked, on a thread that could not be read",
        [WaitAction.MayRunUnseen] = "perhaps running or blocked, on a thread that could not be read",
        [WaitAction.DoneMayRunUnseen] = "done; perhaps running or blocked, on a thread that could not be read",
        [WaitAction.QueuedToPool] = "done; queued to the thread pool",
    };

    /// <summary>Null if there is neither a subject nor another text.</summary>
    public static string? Of(WaitReason reason) => reason.Action switch
    {
        WaitAction.None => reason.Subject,
        WaitAction.ClassInitializer => "class initializer of " + reason.Subject,
        WaitAction.ResumedOn => "done; to be resumed on " + reason.Subject,
        WaitAction.ResumedBy => FormattableString.Invariant($"done; to be resumed by thread {reason.Owner}"),
        _ => Alone.TryGetValue(reason.Action, out string? alone) ? alone : Join(reason.Subject, Behind[reason.Action]),
    };

    private static string Join(string? subject, string action) => subject is null ? action : $"{subject} {action}";
}
