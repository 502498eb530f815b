using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Reachability;

/// <summary>
/// For which things threads block that only somebody can end who has them, while it can be seen that nobody has done so yet: of one that was set a moment ago, its thread
/// only has not run since. The system's own events, and Monitor.Wait, do not show that.
/// </summary>
internal static class BlockedGates
{
    private static readonly string[] Handles = ["ManualResetEvent", "AutoResetEvent", "EventWaitHandle", "Semaphore"];

    /// <summary>How such a wait ends; null if it is none, or may end by itself.</summary>
    /// <param name="thread">The innermost segment of a thread that blocks.</param>
    /// <param name="reason">Why.</param>
    public static (GateKind Kind, bool IsDoubtful)? KindOf(ThreadSegment thread, WaitReason reason)
    {
        if (reason.Resource == 0 || reason.EndsByItself || thread.BlockedBy?.Facts is not { RawName: var call })
            return null;
        return reason.Subject switch
        {
            "SemaphoreSlim" when reason.Says(WaitFactKey.Free, 0) => (GateKind.Resource, false),
            "ManualResetEventSlim" when reason.Says(WaitFactKey.Set, 0) => (GateKind.Event, false),
            "CountdownEvent" when !reason.Says(WaitFactKey.Missing, 0) => (GateKind.Event, false),
            "BlockingCollection" when IsShut(reason, call) => (GateKind.Event, false),
            "Monitor.Wait" when reason.Owner is null => (GateKind.Event, true),
            { } handle when Handles.Contains(handle) && !BlockingCalls.IsForSeveral(call) => (GateKind.Event, true),
            _ => null,
        };
    }

    // Who takes waits for an item, who adds for room; of the others the moment has come, but their thread has not run since.
    private static bool IsShut(WaitReason reason, string call)
    {
        WaitFact items = reason.Shared.FirstOrDefault(fact => fact.Key == WaitFactKey.Items);
        return items.Key == WaitFactKey.Items && reason.Shared.All(fact => fact.Key != WaitFactKey.Completed)
            && (call.Contains("Add", StringComparison.Ordinal) ? items.Number == items.Of : items.Number == 0 && (call.Contains("Take", StringComparison.Ordinal) || call.Contains("MoveNext", StringComparison.Ordinal)));
    }
}
