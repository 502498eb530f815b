using TaskletFixture.Runtime;

namespace System.Runtime.CompilerServices;

public static unsafe partial class RuntimeHelpers
{
    /// <summary>Value of a frame on its way to its caller.</summary>
    internal struct RuntimeAsyncReturnValue
    {
        public object? _obj;
        public nint _ptr;
        public int _returnType;
    }

    /// <summary>Owner of one logical stack: its innermost tasklet, what that waits for, and whether it is suspended.</summary>
    public partial class RuntimeAsyncMaintainedData
    {
        internal Exception? _exception;
        internal INotifyCompletion? _awaiter;
        internal int _suspendActive;
        internal bool _initialTaskEntry;
        internal bool _completed;
        internal byte _dummy;
        internal void* _nextTasklet;
        internal RuntimeAsyncReturnValue _retValue;
        internal Task? _task;

        /// <summary>Innermost tasklet; 0 when there is none.</summary>
        public nint Innermost => (nint)_nextTasklet;

        /// <summary>For a state that a dump may show and that takes good timing to come by.</summary>
        public void SetSuspendActive(int value) => _suspendActive = value;

        internal virtual Task GetTask() => _task ??= CompletionTaskReturnVoid();

        internal void Capture(StackCrawlMark* mark, AsyncDataFrame* end)
        {
            _nextTasklet = Tasklets.Capture((byte*)mark, (byte*)end, _nextTasklet, out int frames);
            _retValue = default;
            _suspendActive = frames;
            Tasklets.Captured?.Invoke(this);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        internal void SetAwaiter(INotifyCompletion awaiter) => _awaiter = awaiter;

        /// <summary>Runs the innermost frames until one suspends again. True when it did.</summary>
        [MethodImpl(MethodImplOptions.NoInlining)]
        internal bool ResumptionFunc()
        {
            AsyncDataFrame frame = default;
            frame._maintainedData = this;
            frame._next = t_asyncData;
            t_asyncData = &frame;
            _suspendActive = 0;
            while (_nextTasklet != null && _suspendActive == 0)
            {
                void* resumed = _nextTasklet;
                _nextTasklet = Tasklets.Next(resumed);
                Tasklets.SetGeneration(resumed, -1, callersToo: true);
                try
                {
                    Tasklets.TakeBody(resumed)?.Invoke();
                }
                finally
                {
                    Tasklets.Delete(resumed);
                }
            }
            t_asyncData = frame._next;
            return _suspendActive != 0;
        }
    }
}
