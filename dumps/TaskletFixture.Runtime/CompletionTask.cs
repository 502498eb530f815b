namespace System.Runtime.CompilerServices;

/// <summary>The tasks that users hold: state machines made by the compiler, which is how the experiment does it, too.</summary>
public static partial class RuntimeHelpers
{
    public partial class RuntimeAsyncMaintainedData
    {
        private async Task CompletionTaskReturnVoid()
        {
            do
            {
                await new TempAwaitable(_awaiter!);
            }
            while (ResumptionFunc());
            _completed = true;
        }
    }

    /// <summary>Owner of a stack whose outermost method returns something.</summary>
    public sealed class RuntimeAsyncMaintainedData<T> : RuntimeAsyncMaintainedData
    {
        internal T? _returnData;

        internal override Task GetTask() => _task ??= CompletionTask();

        private async Task<T> CompletionTask()
        {
            do
            {
                await new TempAwaitable(_awaiter!);
            }
            while (ResumptionFunc());
            _completed = true;
            return _returnData!;
        }
    }

    /// <summary>Hands whoever awaits it to the awaiter that the innermost frame awaits.</summary>
    internal sealed class TempAwaitable(INotifyCompletion awaiter) : INotifyCompletion
    {
        private readonly INotifyCompletion _awaiter = awaiter;

        public bool IsCompleted => false;

        public TempAwaitable GetAwaiter() => this;

        public void OnCompleted(Action continuation) => _awaiter.OnCompleted(continuation);

        public void GetResult()
        {
        }
    }
}
