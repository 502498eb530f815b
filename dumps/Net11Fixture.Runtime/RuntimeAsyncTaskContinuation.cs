using System.Threading;
using System.Threading.Tasks;

namespace System.Runtime.CompilerServices;

/// <summary>Head of a chain that awaits a task, and what stands in that task's <c>m_continuationObject</c>.</summary>
public sealed class RuntimeAsyncTaskContinuation : Continuation, IThreadPoolWorkItem
{
    public Task? Task;
    public Task? RuntimeAsyncTask;
    public object? ContinuationContext;
    public unsafe delegate*<Task, ref byte, void> _getResult;

    public void Execute()
    {
    }
}
