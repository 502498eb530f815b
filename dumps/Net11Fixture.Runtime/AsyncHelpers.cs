using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace System.Runtime.CompilerServices;

public static partial class AsyncHelpers
{
    /// <summary>What the runtime keeps for the next suspension of the thread: nobody waits for what these refer to.</summary>
    [ThreadStatic]
    public static RuntimeAsyncAwaitState t_runtimeAsyncAwaitState;

    public struct RuntimeAsyncAwaitState
    {
        public Continuation? SentinelContinuation;
        public RuntimeAsyncTaskContinuation? CachedTaskContinuation;
        public ValueTaskSourceContinuation? CachedValueTaskSourceContinuation;
    }

    /// <summary>Head of a chain that awaits an IValueTaskSource.</summary>
    public sealed class ValueTaskSourceContinuation : Continuation
    {
        public object? Source;
        public unsafe delegate*<object, Action<object>, object, short, ValueTaskSourceOnCompletedFlags, void> OnCompletedValueTaskSource;
        public unsafe delegate*<object, short, ref byte, void> _getResult;
        public short Token;
    }

    /// <summary>The task of a chain. Like the original it has no fields of its own: its m_stateObject is the chain's head.</summary>
    public sealed class RuntimeAsyncTask<T> : Task<T>
    {
        public RuntimeAsyncTask()
            : base(static () => default!)
        {
        }

        /// <summary>What m_action leads to: custom awaiters keep it.</summary>
        public void DispatchContinuations()
        {
        }

        /// <summary>Runs the innermost method of a chain; what the original takes from m_stateObject is given here.</summary>
        /// <param name="resumed">The method that is resumed.</param>
        /// <param name="next">Continuation of its caller; null when it is the outermost.</param>
        /// <param name="current">CurrentTask: not set by .NET 11 unless a profiler or debugger is there.</param>
        [MethodImpl(MethodImplOptions.NoInlining)]
        public unsafe void DispatchContinuations(Func<Task> resumed, Continuation? next, Task? current)
        {
            AsyncDispatcherInfo info;
            info.Next = AsyncDispatcherInfo.t_current;
            info.NextContinuation = next;
            info.CurrentTask = current;
            AsyncDispatcherInfo.t_current = &info;
            resumed();
            AsyncDispatcherInfo.t_current = info.Next;
            GC.KeepAlive(info.NextContinuation);
            GC.KeepAlive(this);
        }
    }
}
