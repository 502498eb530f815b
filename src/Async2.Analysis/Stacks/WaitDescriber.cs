using Async2.Analysis.Code;
using Async2.Analysis.Code.Metadata;
using Async2.Analysis.Layouts;
using Async2.Analysis.Nodes;
using Async2.Analysis.Nodes.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>Says in a word what a leaf waits for: the awaited API where it is known, else the awaited type.</summary>
internal static class WaitDescriber
{
    /// <param name="leaf">The innermost physical frame, which may be the runtime's own.</param>
    /// <param name="awaited">The awaited object, where it was found.</param>
    public static WaitingOn Describe(SuspensionPoint leaf, AwaitedObject? awaited)
    {
        string? awaitedType = awaited?.TypeName;
        KnownWait known = KnownWaits.Of(awaitedType) ?? KnownWaits.Of(leaf.Method?.RuntimeTypeName) ?? default;
        // The thunk of an awaited API says which one was called, even where several share one promise type.
        string? api = leaf.Method is { Kind: AsyncMethodKind.VariantThunk } thunk ? NameOf(thunk, known) : null;
        string? type = awaitedType is null ? CustomAwaiter(leaf) : TypeName.FromRuntimeName(awaitedType);
        string text = api ?? known.Api ?? (awaitedType is not null ? ShortName(awaitedType) : type is null ? "unknown" : TypeName.Short(type));
        return new WaitingOn(KindOf(known, awaited, type, api), text, awaited?.Address, type);
    }

    /// <param name="machine">The innermost frame, a state machine.</param>
    /// <param name="awaited">The awaited object, where it was found.</param>
    public static WaitingOn Describe(MachinePoint machine, AwaitedObject? awaited)
    {
        string? awaitedType = awaited?.TypeName;
        KnownWait known = KnownWaits.Of(awaitedType) ?? default;
        bool isCustom = machine.AwaiterType is { } awaiter && !IsOfRuntime(awaiter);
        string? api = isCustom || (awaitedType is not null && AsyncTypes.IsOfAsyncMethod(awaitedType)) ? null
            : machine.Await?.Origin is { Name: not "GetAwaiter", Type.Path: [.., var owner] } call ? ApiName(owner, call.Name, known) : null;
        string? type = isCustom ? TypeName.FromRuntimeName(machine.AwaiterType!) : awaitedType is null ? null : TypeName.FromRuntimeName(awaitedType);
        string text = api ?? known.Api ?? (type is null ? "unknown" : isCustom ? TypeName.Short(type) : ShortName(awaitedType!));
        return new WaitingOn(KindOf(known, isCustom ? null : awaited, type, api), text, awaited?.Address, type);
    }

    /// <param name="thread">A thread that blocks.</param>
    public static WaitingOn Describe(ThreadSegment thread)
    {
        string? api = thread.BlockingCall?.Facts is { DeclaringType.Path: [.., var owner] } facts ? ApiName(owner, facts.RawName, default) : null;
        return new WaitingOn(thread.BlockedOn != 0 ? WaitKind.Task : WaitKind.Lock, api ?? "unknown", thread.BlockedOn == 0 ? null : thread.BlockedOn);
    }

    // "SemaphoreSlim.WaitAsync"; for a property "TaskCompletionSource.Task". Type arguments would be the shared code's.
    private static string? NameOf(AsyncMethod method, KnownWait known)
        => method.Facts is { DeclaringType.Path: [.., var innermost] } facts ? ApiName(innermost, facts.RawName, known) : null;

    private static string ApiName(string owner, string method, KnownWait known)
    {
        const string getter = "get_";
        string name = method.StartsWith(getter, StringComparison.Ordinal) ? method[getter.Length..] : method;
        // An explicit implementation has the interface in its name.
        return $"{known.Owner ?? owner.Split('`')[0]}.{name[(name.LastIndexOf('.') + 1)..]}";
    }

    private static bool IsOfRuntime(string awaiterType)
        => awaiterType is "System.Object" || awaiterType.StartsWith("System.Runtime.CompilerServices.", StringComparison.Ordinal);

    // The user's async method returned a Task; that the runtime has a class of its own for it is no news at 3 a.m.
    private static string ShortName(string runtimeName)
    {
        if (!AsyncTypes.IsOfAsyncMethod(runtimeName))
            return TypeName.Short(TypeName.FromRuntimeName(runtimeName));
        string? result = TypeName.ArgumentsOf(runtimeName) is [var first, ..] ? TypeName.Short(first) : null;
        return result is null or "VoidTaskResult" ? "Task" : $"Task<{result}>";
    }

    private static string? CustomAwaiter(SuspensionPoint leaf)
        => leaf.Site is { Form: AwaitForm.Awaiter, AwaitedType: { } awaiter } ? awaiter : null;

    private static WaitKind KindOf(KnownWait known, AwaitedObject? awaited, string? type, string? api)
    {
        WaitKind other = awaited is not null || api is not null ? WaitKind.Task : type is null ? WaitKind.None : WaitKind.Custom;
        return known.Family switch
        {
            WaitFamily.Task => WaitKind.Task,
            WaitFamily.Timer => WaitKind.Timer,
            WaitFamily.Semaphore => WaitKind.Semaphore,
            WaitFamily.Channel => WaitKind.Channel,
            WaitFamily.Socket => WaitKind.Socket,
            _ => other,
        };
    }
}
