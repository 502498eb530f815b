using System.Reflection.Metadata;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Holders.Flow;

/// <summary>What calls do to locks that are known by their type and method.</summary>
internal static class LockCalls
{
    private const string Semaphore = "System.Threading.SemaphoreSlim";

    // A channel whose items are lent: who has read one takes a permit, and writes it back.
    private const string Channels = "System.Threading.Channels.Channel";

    public static bool IsLock(string typeName) => typeName == Semaphore;

    public static bool IsRelease(CalleeRef callee) => callee.HasThis && IsRelease(callee.Type.FullName, callee.Name);

    /// <summary>The same of a method of a type.</summary>
    public static bool IsRelease(string type, string method) => method == "Release" && IsLock(type);

    /// <summary>It takes one, or makes a task that does.</summary>
    public static bool IsAcquire(CalleeRef callee) => callee is { HasThis: true, Name: "Wait" or "WaitAsync" } && IsLock(callee.Type.FullName) || callee is { HasThis: true, Name: "ReadAsync" } && IsChannel(callee)
        || callee is { HasThis: true, Name: "AcquireAsync", Type.FullName: RateLimitTypes.Limiter or RateLimitTypes.Concurrency };

    /// <summary>It writes its first argument into a channel.</summary>
    public static bool IsGive(CalleeRef callee) => callee is { HasThis: true, ParameterCount: > 0, Name: "TryWrite" or "WriteAsync" } && IsChannel(callee);

    /// <summary>It is one of several that a thread waits for: a signal of a CountdownEvent, an arrival at a Barrier.</summary>
    public static bool IsSignal(CalleeRef callee) => callee is { HasThis: true, Type.FullName: "System.Threading.CountdownEvent", Name: "Signal" }
        or { HasThis: true, Type.FullName: "System.Threading.Barrier", Name: "SignalAndWait" or "RemoveParticipant" or "RemoveParticipants" };

    /// <summary>It sets an event, for which threads wait.</summary>
    public static bool IsSet(CalleeRef callee) => callee is { HasThis: true, Name: "Set", Type.FullName: "System.Threading.EventWaitHandle" or "System.Threading.ManualResetEvent" or "System.Threading.AutoResetEvent" or "System.Threading.ManualResetEventSlim" };

    /// <summary>It uses what it is called on in a way.</summary>
    public static bool Is(FrameUse use, CalleeRef callee) => use switch
    {
        FrameUse.Reads => QueueCalls.IsRead(callee),
        FrameUse.Drains => QueueCalls.IsDrain(callee),
        FrameUse.Takes => QueueCalls.IsTake(callee),
        FrameUse.Receives => QueueCalls.IsReceive(callee),
        FrameUse.Feeds => QueueCalls.IsFeed(callee) || QueueCalls.IsLink(callee),
        FrameUse.Sets => IsSet(callee),
        FrameUse.Signals => IsSignal(callee),
        FrameUse.Completes => PromiseCalls.IsCompletion(callee) || IsRelease(callee),
        _ => false,
    };

    /// <summary>Its result says whether it was acquired: a wait with a timeout.</summary>
    public static bool SaysWhether(CalleeRef callee)
        => !IsChannel(callee) && SaysYes(callee);

    /// <summary>It is a method of a channel, or of one of its ends.</summary>
    public static bool IsChannel(CalleeRef callee) => callee.Type.FullName.StartsWith(Channels, StringComparison.Ordinal);

    private static bool SaysYes(CalleeRef callee)
        => IsBoolean(callee.Return) || (callee.Return is { Kind: TypeSigKind.Named, Parts: [var result] } && IsBoolean(result));

    /// <summary>What it returns is, for us, what it was called on: <c>ConfigureAwait</c>, or an end of a channel.</summary>
    public static bool IsThrough(CalleeRef callee)
        => callee is { HasThis: true, Name: "ConfigureAwait" or "GetAwaiter" or "AsTask" or "Preserve" }
            || (callee is { HasThis: true, Name: "WaitAsync" } && TaskTypes.IsTask(callee.Type))
            || (callee is { HasThis: true, Name: "get_Reader" or "get_Writer" } && IsChannel(callee)) || QueueCalls.IsThrough(callee);

    public static bool IsDispose(CalleeRef callee) => callee is { HasThis: true, ParameterCount: 0, Name: "Dispose" or "DisposeAsync" };

    /// <summary>All that is known of a value is that it can be disposed.</summary>
    public static bool IsDisposable(TypeId type) => type.FullName is "System.IDisposable" or "System.IAsyncDisposable" or RateLimitTypes.Lease;

    /// <summary>It gives what a dictionary has at the key that is its first argument.</summary>
    public static bool IsLookup(CalleeRef callee)
        => callee is { HasThis: true, ParameterCount: > 0, Name: "get_Item" or "GetOrAdd" or "TryGetValue" } && callee.Type.Path[^1].EndsWith("Dictionary`2", StringComparison.Ordinal)
            && callee.Type.Namespace.StartsWith("System.Collections", StringComparison.Ordinal);

    /// <summary>It returns what was in the variable that it is given: a releaser that releases once.</summary>
    public static bool IsExchange(CalleeRef callee) => callee is { HasThis: false, Name: "Exchange" or "CompareExchange", Type.FullName: "System.Threading.Interlocked" };

    /// <summary>It gives the result of what is awaited.</summary>
    public static bool IsAwait(CalleeRef callee)
        => (AsyncHelper.IsAwait(callee) && !AsyncHelper.TakesAwaiter(callee))
            || (callee is { Name: "GetResult", HasThis: true } && callee.Type.Path[^1].Contains("Awaiter", StringComparison.Ordinal));

    private static bool IsBoolean(TypeSig type) => type is { Kind: TypeSigKind.Primitive, Primitive: PrimitiveTypeCode.Boolean };
}
