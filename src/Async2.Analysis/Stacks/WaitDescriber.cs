using Async2.Analysis.Code;
using Async2.Analysis.Code.Metadata;
using Async2.Analysis.Layouts;
using Async2.Analysis.Nodes;

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
        string text = api ?? known.Api ?? (type is null ? "unknown" : AsTask(TypeName.Short(type)));
        return new WaitingOn(KindOf(known, awaited, type, api), text, awaited?.Address, type);
    }

    // "SemaphoreSlim.WaitAsync"; for a property "TaskCompletionSource.Task". Type arguments would be the shared code's.
    private static string? NameOf(AsyncMethod method, KnownWait known)
    {
        if (method.Facts is not { DeclaringType.Path: [.., var innermost] } || method.Module.Metadata?.NameOf(method.Token) is not { } name)
            return null;
        const string getter = ".get";
        string type = known.Owner ?? innermost.Split('`')[0];
        return $"{type}.{(name.Name.EndsWith(getter, StringComparison.Ordinal) ? name.Name[..^getter.Length] : name.Name)}";
    }

    // The user's async method returned a Task; that the runtime has a class of its own for it is no news at 3 a.m.
    private static string AsTask(string type)
    {
        const string own = "ThunkTask";
        return type.StartsWith(own, StringComparison.Ordinal) ? string.Concat("Task", type.AsSpan(own.Length)) : type;
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
            WaitFamily.Socket or WaitFamily.Pipe => WaitKind.Socket,
            WaitFamily.Process => WaitKind.Task,
            WaitFamily.Lock => WaitKind.Lock,
            WaitFamily.Thread => WaitKind.Thread,
            WaitFamily.Custom => WaitKind.Custom,
            _ => other,
        };
    }
}
