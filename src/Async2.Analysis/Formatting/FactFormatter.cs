using Async2.Analysis.Model;

namespace Async2.Analysis.Formatting;

/// <summary>Text for facts; some form one phrase with the following ones.</summary>
internal static class FactFormatter
{
    private const int MostThreads = 5;
    private const int MostNames = 4;
    private const int MostCommands = 3;

    // A timer is rarely on time to the millisecond, and the tick count moves in steps of up to 16 ms.
    private const long Grace = 100;

    private static readonly Dictionary<WaitFactKey, Func<WaitFact, string>> Table = new()
    {
        [WaitFactKey.Free] = f => $"{OfAll(f)} free",
        [WaitFactKey.Waiting] = f => $"{AtLeast(f)}{Number(f.Number)} waiting",
        [WaitFactKey.ReadersWaiting] = f => AtLeast(f) + WaitNumbers.Count(f.Number, "reader waiting", "readers waiting"),
        [WaitFactKey.WritersWaiting] = f => AtLeast(f) + WaitNumbers.Count(f.Number, "writer waiting", "writers waiting"),
        [WaitFactKey.WritersAndReadersWaiting] = f => $"{WaitNumbers.Count(f.Number, "writer")} and {WaitNumbers.Count(f.Of ?? 0, "reader")} waiting",
        [WaitFactKey.Items] = f => f.Of is null ? WaitNumbers.Count(f.Number, "item") : $"{OfAll(f)} items",
        [WaitFactKey.NoBuffer] = _ => "no buffer",
        [WaitFactKey.Completed] = _ => "completed",
        [WaitFactKey.Disposed] = _ => "disposed",
        [WaitFactKey.PlaceInQueue] = f => WaitNumbers.Ordinal(f.Number) + " in the queue",
        [WaitFactKey.Length] = f => WaitNumbers.Duration(f.Number),
        [WaitFactKey.Infinite] = _ => "infinite",
        [WaitFactKey.Period] = f => "every " + WaitNumbers.Duration(f.Number),
        [WaitFactKey.Timeout] = f => "timeout " + WaitNumbers.Duration(f.Number),
        [WaitFactKey.DueIn] = Due,
        [WaitFactKey.TokenCancelled] = f => f.Number == 0 ? "token not cancelled" : "token cancelled",
        [WaitFactKey.TokenDueIn] = f => "its timeout " + Due(f),
        [WaitFactKey.LocalEnd] = f => "on " + f.Text,
        [WaitFactKey.RemoteSource] = f => "from " + f.Text,
        [WaitFactKey.RemoteTarget] = f => "to " + f.Text,
        [WaitFactKey.Sql] = f => "SQL " + f.Text,
        [WaitFactKey.Host] = f => f.Text ?? "",
        [WaitFactKey.From] = f => "from " + f.Text,
        [WaitFactKey.Server] = f => "on " + f.Text,
        [WaitFactKey.HttpMethod] = f => f.Text ?? "",
        [WaitFactKey.InUse] = f => $"{OfAll(f)} in use",
        [WaitFactKey.BeingOpened] = f => f.Number == 0 ? "being opened" : $"{Number(f.Number)} being opened",
        [WaitFactKey.Connections] = f => WaitNumbers.Count(f.Number, "connection"),
        [WaitFactKey.Streams] = f => WaitNumbers.Count(f.Number, "stream"),
        [WaitFactKey.Buffered] = f => WaitNumbers.Count(f.Number, "byte") + " buffered",
        [WaitFactKey.Path] = f => f.Text ?? "",
        [WaitFactKey.Examined] = _ => "all examined",
        [WaitFactKey.Wanted] = f => $"{Number(f.Number)} wanted",
        [WaitFactKey.ResumesBelow] = f => $"goes on below {Number(f.Number)}",
        [WaitFactKey.WriterCompleted] = f => f.Number == 0 ? "writer open" : "writer completed",
        [WaitFactKey.ReaderCompleted] = f => f.Number == 0 ? "reader open" : "reader completed",
        [WaitFactKey.Done] = f => $"{OfAll(f)} done",
        [WaitFactKey.Pending] = f => $"{Number(f.Number)} pending",
        [WaitFactKey.DelegateNotReturned] = _ => "its delegate has not returned",
        [WaitFactKey.TaskPending] = _ => "its task is pending",
        [WaitFactKey.ProcessId] = f => $"pid {Number(f.Number)}",
        [WaitFactKey.Exited] = f => f.Number == 0 ? "running" : "exited",
        [WaitFactKey.StreamOf] = f => f.Text ?? "",
        [WaitFactKey.UnreadStream] = f => $"{f.Text} never read",
        [WaitFactKey.StuckWriter] = f => $"full, and {(f.Text is null ? "" : f.Text + ", ")}pid {Number(f.Number)}{(f.Text is null ? "" : ",")} waits to write to it",
        [WaitFactKey.OtherEnd] = _ => "other end in this process",
        [WaitFactKey.KeptOpenBy] = f => $"kept open by {(f.Text is null ? "" : f.Text + ", ")}pid {Number(f.Number)}",
        [WaitFactKey.Unlinked] = f => On(f, "is linked to nothing", "linked to nothing"),
        [WaitFactKey.FitsNoLink] = f => (f.Text is null ? "its" : $"hangs on {f.Text}, whose") + $" first item {(f.Number == 1 ? "does not fit its only link" : $"fits none of its {Number(f.Number)} links")}",
        [WaitFactKey.LinkedInRing] = f => On(f, $"is in a ring of {WaitNumbers.Count(f.Number, "full block")}", $"in a ring of {WaitNumbers.Count(f.Number, "full block")}"),
        [WaitFactKey.StillOpen] = f => On(f, "was not told to complete", "not told to complete"),
        [WaitFactKey.TaskDelegate] = f => f.Text ?? "",
        [WaitFactKey.TaskNotStarted] = f => Doing(f, "not started"),
        [WaitFactKey.TaskQueued] = f => Doing(f, "queued"),
        [WaitFactKey.TaskRunning] = f => Doing(f, "running"),
        [WaitFactKey.TaskWaitsForChildren] = f => Doing(f, "waiting for its child tasks"),
        [WaitFactKey.TaskCompleted] = f => Doing(f, "completed"),
        [WaitFactKey.Queued] = f => $"{Number(f.Number)} queued",
        [WaitFactKey.Working] = f => $"{Number(f.Number)} running",
        [WaitFactKey.Workers] = f => WaitNumbers.Count(f.Number, "worker running", "workers running"),
        [WaitFactKey.WithoutAnswer] = f => WaitNumbers.Ordinal(f.Number) + " without an answer",
        [WaitFactKey.NotSent] = _ => "not sent yet",
        [WaitFactKey.Set] = f => f.Number == 0 ? "not set" : "set",
        [WaitFactKey.Missing] = f => $"{OfAll(f)} missing",
        [WaitFactKey.Arrived] = f => $"{OfAll(f)} arrived",
        [WaitFactKey.Phase] = f => $"phase {Number(f.Number)}",
        [WaitFactKey.TasksLeft] = f => WaitNumbers.Count(f.Number, "task") + " left",
        [WaitFactKey.HeldByThread] = f => $"held by thread {Number(f.Number)}",
        [WaitFactKey.HeldByOSThread] = f => $"held by OS thread {Number(f.Number)}",
        [WaitFactKey.HeldForWriting] = f => $"held for writing by thread {Number(f.Number)}",
        [WaitFactKey.HeldForUpgrade] = f => $"held by thread {Number(f.Number)}, which may upgrade, and {WaitNumbers.Count(f.Of ?? 0, "reader")}",
        [WaitFactKey.HeldByReaders] = f => $"held by {WaitNumbers.Count(f.Number, "reader")}",
        [WaitFactKey.ForThread] = f => $"for thread {Number(f.Number)}",
        [WaitFactKey.RunByThread] = f => $"run by thread {Number(f.Number)}",
        [WaitFactKey.MadeByThread] = f => $"made by thread {Number(f.Number)}",
        [WaitFactKey.InSystemCall] = _ => "in a system call",
        [WaitFactKey.FullPipe] = f => $"{f.Text} is a full pipe",
        [WaitFactKey.ReadBy] = f => $"read by {(f.Text is null ? "" : f.Text + ", ")}pid {Number(f.Number)}",
        [WaitFactKey.Handles] = f => WaitNumbers.Count(f.Number, "handle"),
        [WaitFactKey.CallbackOnThread] = f => $"for a callback on thread {Number(f.Number)}",
        [WaitFactKey.LockedObject] = f => FormattableString.Invariant($"object 0x{f.Number:x} ({f.Text ?? "unknown type"})"),
        [WaitFactKey.WaitingForPulse] = _ => "waiting for a pulse",
        [WaitFactKey.InTransition] = _ => "in transition",
        [WaitFactKey.HeldByEndedThread] = f => f.Number == 0 ? "held by a thread that has ended" : $"held by thread {Number(f.Number)}, which has ended",
        [WaitFactKey.NotReleasedBy] = f => $"no method on the stack of thread {Number(f.Number)} releases it",
        [WaitFactKey.UnknownHolders] = f => $"{Number(f.Number)} more not found",
    };

    // Of another block, or of the one that is waited for.
    private static string On(in WaitFact fact, string other, string own) => fact.Text is null ? own : $"hangs on {fact.Text}, which {other}";

    /// <summary>Null if there is none.</summary>
    public static string? Of(ReadOnlySpan<WaitFact> facts)
    {
        string? text = null;
        for (int i = 0; i < facts.Length;)
        {
            int taken = 1;
            string next = facts[i].Key switch
            {
                WaitFactKey.LocalEnd when i + 1 < facts.Length && facts[i + 1].Key is WaitFactKey.RemoteSource or WaitFactKey.RemoteTarget => Ends(facts[i..], out taken),
                WaitFactKey.UnreadStream when i + 1 < facts.Length && facts[i + 1].Key == WaitFactKey.StuckWriter => Stuck(facts[i..], out taken),
                WaitFactKey.FirstOf => Names(FormattableString.Invariant($"first of {facts[i].Number}: "), facts[i..], first: 1, MostNames, out taken),
                WaitFactKey.HeldByCommand => Names("held by ", facts[i..], first: 0, MostCommands, out taken),
                WaitFactKey.HeldByOperations => Holders(facts[i..], out taken),
                WaitFactKey.HeldForUpgrade or WaitFactKey.HeldByReaders => Readers(facts[i..], out taken),
                _ => Table[facts[i].Key](facts[i]),
            };
            // Who holds it is another thought than the numbers before it.
            text = text is not null && facts[i].Key == WaitFactKey.HeldByOperations ? $"{text}; {next}" : WaitNumbers.Join(text, next);
            i += taken;
        }
        return text;
    }

    /// <summary><c>due in 4.2 s</c>, <c>overdue by at least 2 s</c>.</summary>
    /// <param name="fact">Remaining ms; less than 0: overdue.</param>
    private static string Due(WaitFact fact) => fact.Number >= 0 ? $"due in {(fact.IsBound ? "at most " : "")}{WaitNumbers.Duration(fact.Number)}"
        : fact.Number > -Grace ? "due now"
        : $"overdue by {AtLeast(fact)}{WaitNumbers.Duration(-fact.Number)}";

    // Both ends of a socket, in the direction of the data.
    private static string Ends(ReadOnlySpan<WaitFact> facts, out int taken)
    {
        taken = 2;
        return $"{facts[0].Text} {(facts[1].Key == WaitFactKey.RemoteSource ? "<-" : "->")} {facts[1].Text}";
    }

    // "standard error never read and full, and cc, pid 4711, waits to write to it"
    private static string Stuck(ReadOnlySpan<WaitFact> facts, out int taken)
    {
        taken = 2;
        return $"{Table[facts[0].Key](facts[0])} and {Table[facts[1].Key](facts[1])}";
    }

    // "2 x Task.Delay, ShipAsync, ..."
    private static string Names(string before, ReadOnlySpan<WaitFact> facts, int first, int most, out int taken)
    {
        var names = new List<string>();
        bool isMore = false;
        for (taken = first; taken < facts.Length && facts[taken].Key is WaitFactKey.Among or WaitFactKey.HeldByCommand or WaitFactKey.More; taken++)
        {
            WaitFact fact = facts[taken];
            isMore |= fact.Key == WaitFactKey.More || names.Count == most;
            if (!isMore)
                names.Add(WaitNumbers.Times(fact.Number, fact.Text ?? (fact.Key == WaitFactKey.Among ? "unreadable" : "a connection without a command")));
        }
        return before + string.Join(", ", names) + (isMore ? ", ..." : "");
    }

    // "held by 2 readers: threads 3, 4"
    private static string Readers(ReadOnlySpan<WaitFact> facts, out int taken)
    {
        taken = 1;
        while (taken < facts.Length && facts[taken].Key == WaitFactKey.ReaderThread)
            taken++;
        string text = Table[facts[0].Key](facts[0]);
        if (taken == 1)
            return text;
        ReadOnlySpan<WaitFact> readers = facts[1..taken];
        return $"{text}: thread{(readers.Length == 1 ? "" : "s")} {WaitNumbers.Ids(readers, MostThreads)}";
    }

    // "held by 3: 2 x Bank.ChargeAsync (Bank.cs:10), Shop.SellAsync (Shop.cs:4)"
    private static string Holders(ReadOnlySpan<WaitFact> facts, out int taken)
    {
        var places = new List<string>();
        for (taken = 1; taken < facts.Length && facts[taken].Key == WaitFactKey.HolderPlace; taken++)
            places.Add(WaitNumbers.Times(facts[taken].Number == facts[0].Number ? 1 : facts[taken].Number, facts[taken].Text ?? "?"));
        string more = places.Count > MostNames ? ", ..." : "";
        string count = facts[0].Of is { } some ? $"{Number(some)} of {Number(facts[0].Number)}" : Number(facts[0].Number);
        return $"{(facts[0].IsBound ? "probably " : "")}held by {count}: {string.Join(", ", places.Take(MostNames))}{more}";
    }

    private static string Doing(WaitFact fact, string doing) => fact.Text is null ? doing : $"{fact.Text} {doing}";

    private static string OfAll(WaitFact fact) => fact.Of is { } all ? FormattableString.Invariant($"{fact.Number} of {all}") : Number(fact.Number);

    private static string AtLeast(WaitFact fact) => fact.IsBound ? "at least " : "";

    private static string Number(long number) => FormattableString.Invariant($"{number}");
}
