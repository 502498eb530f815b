using Async2.Analysis.Awaiters;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Stacks;

/// <summary>Describes what a leaf waits for: the awaited API if it is known, otherwise the awaited type.</summary>
internal static class WaitDescriber
{
    /// <summary>What a chain waits for that no object owns: nobody can resume it.</summary>
    public static LeafWait Orphan { get; } = new(new(WaitKind.None, null, WaitAction.NoOwner));

    /// <summary>The same of one that is marked as executing.</summary>
    public static LeafWait Abandoned { get; } = new(new(WaitKind.None, null, WaitAction.NoOwnerExecuting));

    /// <summary>The wait of an operation that yielded its thread: it waits to be resumed.</summary>
    public static LeafWait Yielded { get; } = new(new(WaitKind.None, "Task.Yield"));

    private const string YieldAwaiter = "YieldAwaiter";

    /// <param name="leaf">The innermost physical frame, which may be the runtime's own.</param>
    /// <param name="awaited">The awaited object, where it was found.</param>
    public static LeafWait Describe(SuspensionPoint leaf, AwaitedObject? awaited)
    {
        KnownWait known = WaitFamilies.Table.NameOf(awaited?.TypeName) ?? WaitFamilies.Table.NameOf(leaf.Method?.RuntimeTypeName) ?? KnownWait.None;
        // The thunk of an awaited API says which one was called, even where several share one promise type.
        AwaitedCall? call = leaf.Method is { Kind: AsyncMethodKind.VariantThunk, Facts: { DeclaringType.Path: [.., var owner] } facts } thunk
            ? new(ApiName(owner, facts.RawName, known), thunk.Module.IsFramework)
            : leaf is { Kind: SiteKind.ResumeInfo, Site: { } site } ? CallAt(site, known) : null;
        if (awaited is null && leaf.Site?.AwaitedType?.EndsWith(YieldAwaiter, StringComparison.Ordinal) == true)
            return Yielded;
        string? custom = awaited is null && leaf.Site is { Form: AwaitForm.Awaiter, AwaitedType: { } awaiter } ? awaiter : null;
        return Describe(known, awaited, call, custom);
    }

    /// <param name="machine">The innermost frame, a state machine.</param>
    /// <param name="awaited">The awaited object, where it was found.</param>
    public static LeafWait Describe(StateMachinePoint machine, AwaitedObject? awaited)
    {
        KnownWait known = WaitFamilies.Table.NameOf(awaited?.TypeName) ?? KnownWait.None;
        if (machine.AwaiterType?.EndsWith(YieldAwaiter, StringComparison.Ordinal) == true)
            return Yielded;
        string? custom = machine.AwaiterType is { } awaiter && !IsOfRuntime(awaiter) ? TypeName.FromRuntimeName(awaiter) : null;
        // As in runtime-async, only for a call whose result is awaited directly.
        AwaitedCall? call = machine.Await?.Origin is { Type.Path: [.., var owner] } origin && AsyncHelper.HasAsyncVariant(origin)
            ? new(ApiName(owner, origin.Name, known), IsOfFramework(origin.Type.Namespace))
            : null;
        return Describe(known, awaited, custom is null ? call : null, custom);
    }

    // .NET 11 keeps no thunk of the awaited method; IL has the call.
    private static AwaitedCall? CallAt(AwaitSite site, KnownWait known)
        => (site.Callee ?? site.Origin) is { Type.Path: [.., var owner] } callee && AsyncHelper.HasAsyncVariant(callee)
            ? new(ApiName(owner, callee.Name, known), IsOfFramework(callee.Type.Namespace))
            : null;

    private static LeafWait Describe(KnownWait known, AwaitedObject? awaited, AwaitedCall? call, string? custom)
    {
        // A task of an async method is not a leaf: its own stack says more than the call that returned it.
        string? runtimeType = custom is null ? awaited?.TypeName : null;
        AwaitedCall? told = runtimeType is not null && AsyncTypes.IsOfAsyncMethod(runtimeType) ? null : call;
        string? type = custom ?? (runtimeType is null ? null : TypeName.FromRuntimeName(runtimeType));
        string? name = (told is { IsFramework: true } ? told.Value.Name : null) ?? known.Api ?? told?.Name
            ?? (runtimeType is not null ? ShortName(runtimeType) : type is null ? null : TypeName.Short(type));
        WaitKind kind = KindOf(known, custom is null ? awaited : null, type, told?.Name);
        return new(new(kind, name, name is null ? WaitAction.Unknown : WaitAction.None), type, IsObject: custom is null && awaited is not null);
    }

    /// <param name="thread">A thread that blocks.</param>
    /// <param name="reason">What is known about what it waits for; null if that is a task or nothing is known.</param>
    public static WaitReason Describe(ThreadSegment thread, WaitReason? reason)
    {
        string? api = thread.BlockingCall?.Facts is { DeclaringType.Path: [.., var owner] } called ? CalledName(called.RawName) ?? ApiName(owner, called.RawName, KnownWait.None) : null;
        if (thread.BlockedOn != 0)
            return new(WaitKind.Task, IsHandle(thread) ? "Task.AsyncWaitHandle" : api ?? "Task") { Resource = reason?.Resource ?? 0, Shared = reason is { Kind: WaitKind.Task } ? reason.Shared : [] };
        reason ??= new(WaitKind.Thread);
        // Where a method of the framework sleeps between two looks, it says more than the sleep does.
        if (reason is { Kind: WaitKind.Timer, Subject: SleepCall, Action: WaitAction.None } && thread.BlockingCall?.Facts?.DeclaringType.FullName != SleepType)
            reason = reason with { Subject = api ?? SleepCall };
        return reason is { Subject: null, Action: WaitAction.None } ? reason with { Subject = api, Action = api is null ? WaitAction.Unknown : WaitAction.None } : reason;
    }

    // What does the work of a FileStream (System.IO.Strategies, .NET 8 to 11).
    private const string FileStrategy = "FileStreamStrategy";
    private const string FileApi = "FileStream";

    private const string SleepType = "System.Threading.Thread";
    private const string SleepCall = "Thread.Sleep";

    // The call in user code, if the JIT inlined the called method.
    private static string? CalledName(string blocking) => blocking switch
    {
        "GetResultCore" => "Task.Result",
        "HandleNonSuccessAndDebuggerNotification" => "TaskAwaiter.GetResult",
        "InternalWaitCore" or "InternalWait" or "SpinThenBlockingWait" => "Task.Wait",
        _ => null,
    };

    // User code waits for a task's AsyncWaitHandle.
    private static bool IsHandle(ThreadSegment thread)
        => thread.BlockedBy?.Facts is { } method && BlockingCalls.Of(method.DeclaringType.FullName, method.RawName) == BlockingKind.WaitHandle;

    // "SemaphoreSlim.WaitAsync"; for a property "TaskCompletionSource.Task". Type arguments are left out: they are those of shared code.
    private static string ApiName(string owner, string method, KnownWait known)
    {
        const string getter = "get_";
        string name = method.StartsWith(getter, StringComparison.Ordinal) ? method[getter.Length..] : method;
        // An explicit implementation has the interface in its name.
        return $"{known.Owner ?? (owner.EndsWith(FileStrategy, StringComparison.Ordinal) ? FileApi : owner.Split('`')[0])}.{name[(name.LastIndexOf('.') + 1)..]}";
    }

    private static bool IsOfRuntime(string awaiterType)
        => awaiterType is "System.Object" || awaiterType.StartsWith("System.Runtime.CompilerServices.", StringComparison.Ordinal);

    // The user's async method returned a Task; the runtime's own class for it does not matter to the user.
    private static string ShortName(string runtimeName)
    {
        if (!AsyncTypes.IsOfAsyncMethod(runtimeName))
            return TypeName.Short(TypeName.FromRuntimeName(runtimeName));
        string? result = TypeName.ArgumentsOf(runtimeName) is [var first, ..] ? TypeName.Short(first) : null;
        return result is null or "VoidTaskResult" ? "Task" : $"Task<{result}>";
    }

    // Resolving the callee's assembly is not worth its cost here: no user code is in these namespaces.
    private static bool IsOfFramework(string space) => space == "System" || space.StartsWith("System.", StringComparison.Ordinal);

    private static WaitKind KindOf(KnownWait known, AwaitedObject? awaited, string? type, string? api)
    {
        WaitKind other = awaited is { IsCustom: true } ? WaitKind.Custom : awaited is not null || api is not null ? WaitKind.Task : type is null ? WaitKind.None : WaitKind.Custom;
        return known.Kind == WaitKind.None ? other : known.Kind;
    }

    /// <summary>The call whose result is awaited.</summary>
    private readonly record struct AwaitedCall(string Name, bool IsFramework);
}
