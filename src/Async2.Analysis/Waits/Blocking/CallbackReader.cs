using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>Threads in <c>CancellationTokenRegistration.Dispose</c>, which waits until the callback that it takes back has returned where another thread executes it.</summary>
internal sealed class CallbackReader(WaitReaderContext all) : IWaitFamily<CallbackReader>
{
    private readonly LayoutCache<ExecutingCallbackLayout> _layouts = all.Layouts(ExecutingCallbackLayout.Of);

    public static CallbackReader Open(WaitReaderContext all) => new(all);

    /// <inheritdoc/>
    public BlockingReader? ReaderOf(BlockingKind kind) => kind == BlockingKind.Callback ? Executing : null;

    private WaitReason? Executing(HeapObject item, int thread)
    {
        if (_layouts.Of(item) is not { } layout)
            return null;
        WaitReason reason = new(WaitKind.Thread, "CancellationTokenRegistration.Dispose") { Resource = item.Address };
        return item.Int32(layout.Thread) is > 0 and var other && other != thread
            ? reason with { Shared = [new(WaitFactKey.CallbackOnThread, other)], Owner = other, Holders = [other] } : reason;
    }
}

/// <summary><c>CancellationTokenSource+Registrations</c> (System.Private.CoreLib 10.0.12).</summary>
/// <param name="Thread">int, managed id of the thread that executes callbacks of the source.</param>
internal sealed record ExecutingCallbackLayout(int Thread)
{
    public static ExecutingCallbackLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.CancellationTokenSource+Registrations" && FieldPath.Find(type, pointerSize, "ThreadIDExecutingCallbacks") is { } thread ? new(thread) : null;
}
