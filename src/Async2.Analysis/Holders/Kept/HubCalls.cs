using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Holders.Kept;

/// <summary>
/// Calls that SignalR executes for a client: each has one of the slots of a ChannelBasedSemaphore until its RunTask ends (Microsoft.AspNetCore.SignalR.Core 10.0.12). It is code of a framework, which is not read.
/// </summary>
internal static class HubCalls
{
    private const string RunTask = "Microsoft.AspNetCore.SignalR.Internal.ChannelBasedSemaphore+<RunTask>";

    /// <summary>A state machine is of one.</summary>
    public static bool Is(StateMachinePoint? point) => point is { IsFramework: true, RuntimeTypeName: { } name } && name.StartsWith(RunTask, StringComparison.Ordinal);

    /// <summary>What it has a slot of; none if that cannot be read.</summary>
    public static IReadOnlyList<ulong> SlotsOf(Target target, BoxedStateMachine machine)
        => machine.Layout.This >= 0 && target.Memory.TryReadPointer(machine.Address + (ulong)machine.Layout.This, out ulong slots) && slots != 0 ? [slots] : [];
}
