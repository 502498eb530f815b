using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>What asyncs of F# wait for, besides tasks.</summary>
internal sealed class FSharpWaits(WaitReaderContext all) : IWaitFamily<FSharpWaits>
{
    public static IReadOnlyList<KnownWait> Names { get; } =
    [
        // FSharp.Core 10, what asyncs of F# wait for.
        new("System.Threading.Timer", WaitKind.Timer, "Async.Sleep"),
        new("System.Threading.RegisteredWaitHandle", WaitKind.Thread, "Async.AwaitWaitHandle"),
        new("Microsoft.FSharp.Control.Mailbox<", WaitKind.Channel, "MailboxProcessor.Receive"),
        new("Microsoft.FSharp.Control.AsyncPrimitives+ResultCell<", WaitKind.Task, "result of an async"),
        new(FSharpAsyncLayout.Closures + "Parallel@", WaitKind.Task, "Async.Parallel"),
        new(FSharpAsyncLayout.Closures + "Choice@", WaitKind.Task, "Async.Choice"),
        new(FSharpAsyncLayout.Closures, WaitKind.Custom, "Async.FromContinuations"),
    ];

    private readonly WaitFactList _facts = new();

    public static FSharpWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (type.Name == "System.Threading.Timer")
            return address => new(Sleep(address));
        if (type.Name == "System.Threading.RegisteredWaitHandle" || type.Name?.StartsWith(FSharpAsyncLayout.Closures, StringComparison.Ordinal) == true
            || FSharpAsyncLayout.KindOf(type) is FSharpAsyncKind.Mailbox or FSharpAsyncKind.ResultCell)
        {
            KnownWait known = all.Table.NameOf(type.Name) ?? KnownWait.None;
            var reason = new WaitReason(known.Kind, known.Api);
            return _ => new(reason);
        }
        return null;
    }

    private WaitReason Sleep(ulong timer)
    {
        TimerFacts? found = all.Timers.Read(timer);
        _facts.AddDue(found);
        return new(WaitKind.Timer, "Async.Sleep") { Shared = found?.Due is { } due ? [new(WaitFactKey.Length, due)] : [], Own = _facts.Take() };
    }
}
