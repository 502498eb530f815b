using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Holders.Kept;

/// <summary>Code of frameworks, which is not read, that holds something until it ends: what is in the fields of its state machines tells.</summary>
internal static class FrameworkHolders
{
    private static readonly (Func<StateMachinePoint?, bool> Is, Func<Target, BoxedStateMachine, IReadOnlyList<ulong>> HeldBy)[] All =
    [
        (HubCalls.Is, HubCalls.SlotsOf),
        (LimitedRequests.Is, LimitedRequests.LimitersOf),
    ];

    /// <summary>A state machine is of such code.</summary>
    public static bool Has(StateMachinePoint? point) => All.Any(one => one.Is(point));

    /// <summary>Addresses of what it holds; null if a state machine is not of such code.</summary>
    public static IReadOnlyList<ulong>? HeldBy(Target target, StateMachinePoint point, BoxedStateMachine machine)
        => All.FirstOrDefault(one => one.Is(point)).HeldBy?.Invoke(target, machine);
}
