using Async2.Analysis.Heap;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Runtimes;

namespace Async2.Analysis.Surveys;

/// <summary>Waits for threads that ask the data access library about a process that runs, and notices a question that is never answered (<see cref="DacLoop"/>).</summary>
/// <param name="target">The process.</param>
/// <param name="types">What is asked about.</param>
internal sealed class QuestionWatch(Target target, HeapTypes types)
{
    // A question takes some tenths of a millisecond. A tool that is stopped meanwhile does not look either.
    private const int MostLooks = 5;

    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private int _last, _same;

    /// <summary>Returns when they have ended.</summary>
    /// <exception cref="Targets.Contract.TargetException">One of them never will, and this process cannot be ended.</exception>
    public void Join(Thread[] threads)
    {
        foreach (Thread thread in threads)
        {
            while (!thread.Join(Interval))
                Look();
        }
    }

    private void Look()
    {
        int now = types.Questions;
        _same = now == _last && HeapTypes.IsOpen(now) ? _same + 1 : 0;
        _last = now;
        if (_same != MostLooks)
            return;
        DacLoop.Leave?.Invoke();
        target.GiveUp();
        throw DacLoop.Error(target.Origin.Pid ?? 0);
    }
}
