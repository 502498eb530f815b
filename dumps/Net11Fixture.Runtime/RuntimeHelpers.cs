using System.Reflection;
using System.Threading.Tasks;

namespace System.Runtime.CompilerServices;

/// <summary>
/// Not .NET 11's but the async2 experiment's: its JIT variant has an ordinary async method as the task of each chain, which waits in the
/// chain's place (dotnet/runtimelab, feature/async2-experiment, RuntimeHelpers.CoreCLR.cs). Continuations are the running runtime's.
/// </summary>
public static class RuntimeHelpers
{
    public static async Task<T?> FinalizeTaskReturningThunk<T>(object continuation, INotifyCompletion notifier)
    {
        while (true)
        {
            object headContinuation = continuation;
            await new AwaitableProxy(notifier);
            DispatchContinuations(headContinuation);
        }
    }

    public static async ValueTask<T?> FinalizeValueTaskReturningThunk<T>(object continuation, INotifyCompletion notifier)
    {
        while (true)
        {
            object headContinuation = continuation;
            await new AwaitableProxy(notifier);
            DispatchContinuations(headContinuation);
        }
    }

    // Continuation.Resume is the running runtime's, so what is resumed here really goes on; none of it may be suspended again.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void DispatchContinuations(object headContinuation)
    {
        object? continuation = headContinuation;
        while (continuation is not null && Resume(continuation) is var resume && resume != 0)
        {
            ((delegate*<object, object?>)resume)(continuation);
            continuation = Next(continuation);
        }
    }

    private static nint Resume(object continuation)
    {
        const BindingFlags all = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        object? value = continuation.GetType().GetField("Resume", all)!.GetValue(continuation);
        return value is Pointer or null ? Address(value) : (nint)value;
    }

    private static unsafe nint Address(object? pointer) => pointer is null ? 0 : (nint)Pointer.Unbox(pointer);

    private static object? Next(object continuation)
        => continuation.GetType().GetField("Next", BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)!.GetValue(continuation);

    private struct AwaitableProxy(INotifyCompletion notifier) : ICriticalNotifyCompletion
    {
        private readonly INotifyCompletion _notifier = notifier;

        public readonly bool IsCompleted => false;

        public readonly AwaitableProxy GetAwaiter() => this;

        public readonly void GetResult()
        {
        }

        public readonly void OnCompleted(Action continuation) => _notifier.OnCompleted(continuation);

        public readonly void UnsafeOnCompleted(Action continuation) => ((ICriticalNotifyCompletion)_notifier).UnsafeOnCompleted(continuation);
    }
}
