using System.Runtime.ExceptionServices;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets.Memory;

/// <summary>
/// Lets several threads work for a debugger's command while only the command's own thread calls the debugger: some debuggers support
/// no other thread, or hold a lock while the command runs. Workers pass their calls on and wait.
/// </summary>
internal sealed class CallerThread
{
    private readonly object _gate = new();
    private readonly Queue<Question> _asked = new();
    private readonly int _caller = Environment.CurrentManagedThreadId;
    private int _working;

    /// <summary>Called before workers start.</summary>
    /// <param name="workers">Number of workers; each will <see cref="Leave"/>.</param>
    public void Expect(int workers) => _working = workers;

    /// <summary>Runs an action on the caller's thread, which may be this one.</summary>
    public void Ask(Action work)
    {
        if (Environment.CurrentManagedThreadId == _caller)
        {
            work();
            return;
        }
        var question = new Question(work);
        lock (_gate)
        {
            _asked.Enqueue(question);
            Monitor.PulseAll(_gate);
            while (!question.IsDone)
                Monitor.Wait(_gate);
        }
        if (question.Failure is { } failure)
            ExceptionDispatchInfo.Throw(failure);
    }

    /// <summary>Called by a worker that will make no more calls.</summary>
    public void Leave()
    {
        lock (_gate)
        {
            _working--;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Called by the caller's thread: serves calls until all workers are done.</summary>
    public void Serve()
    {
        while (Next() is { } question)
        {
            try
            {
                question.Work();
            }
            catch (Exception e)
            {
                // The worker that made the call has to handle the exception.
                question.Failure = e;
            }
            lock (_gate)
            {
                question.IsDone = true;
                Monitor.PulseAll(_gate);
            }
        }
    }

    private Question? Next()
    {
        lock (_gate)
        {
            while (_asked.Count == 0 && _working > 0)
                Monitor.Wait(_gate);
            return _asked.Count > 0 ? _asked.Dequeue() : null;
        }
    }

    private sealed class Question(Action work)
    {
        public Action Work { get; } = work;

        public bool IsDone { get; set; }

        public Exception? Failure { get; set; }
    }
}

/// <summary>A reader for workers, whose reads run on the caller's thread.</summary>
internal sealed class CallerThreadReader(IMemoryReader inner, CallerThread caller) : MemoryReader
{
    public override int PointerSize => inner.PointerSize;

    public override unsafe int Read(ulong address, Span<byte> buffer)
    {
        int count = 0, length = buffer.Length;
        fixed (byte* start = buffer)
        {
            nint place = (nint)start;
            caller.Ask(() => count = inner.Read(address, new Span<byte>((void*)place, length)));
        }
        return count;
    }
}
