using Async2.Analysis.Layouts;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>What asyncs of F# wait for, besides tasks.</summary>
internal sealed class FSharpWaits(WaitReaderContext all) : IWaitFamily
{
    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (type.Name == "System.Threading.Timer")
            return address => new(Sleep(address));
        if (type.Name == "System.Threading.RegisteredWaitHandle" || type.Name?.StartsWith(FSharpAsyncLayout.Closures, StringComparison.Ordinal) == true
            || FSharpAsyncLayout.KindOf(type) is FSharpAsyncKind.Mailbox or FSharpAsyncKind.ResultCell)
        {
            KnownWait known = KnownWaits.Of(type.Name) ?? default;
            var facts = new WaitFacts(known.Family, known.Api, null, null, 0);
            return _ => new(facts);
        }
        return null;
    }

    private WaitFacts Sleep(ulong timer)
    {
        TimerFacts? facts = all.Timers.Read(timer);
        return new(WaitFamily.Timer, "Async.Sleep", facts?.Due is { } due ? WaitText.Duration(due) : null, facts?.When, 0);
    }
}
