using System.Collections.Immutable;
using System.Diagnostics;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Watching;
using Async2.Dump.Cli;

namespace Async2.Dump.Watching;

/// <summary>Looks, shows, saves and waits, until somebody ends it or the process has ended. What goes wrong in between is said, and does not end it.</summary>
/// <param name="source">Where looks come from.</param>
/// <param name="series">Joins them.</param>
/// <param name="plan">How often.</param>
/// <param name="saver">Saves them.</param>
/// <param name="view">Shows them.</param>
/// <param name="meter">Says whether processors are idle.</param>
/// <param name="models">Held while models are used, which the view does on its own thread.</param>
/// <param name="stop">Set when the user ends it.</param>
internal sealed class WatchLoop(ILookSource source, WatchSeries series, WatchPlan plan, WatchSaver saver, IWatchView view, ProcessorMeter meter, Lock models, CancellationToken stop)
{
    // What fails at first mostly fails for good; in between a process may be in a bad moment for long.
    private const int FirstTries = 3;
    private const int EndedTries = 2;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan LoadCheck = TimeSpan.FromMilliseconds(250);

    private readonly WatchPace _pace = new(plan.Interval);
    private WatchLook? _last;
    private LookResult _failed = LookResult.Over;
    private TimeSpan _late;
    private int _failures;
    private int _ended;

    /// <summary>Number of looks that were shown.</summary>
    public int Looks => _last?.Number ?? 0;

    /// <summary>Runs it; returns the exit code.</summary>
    /// <exception cref="TargetException">Not even one look was possible.</exception>
    public int Run()
    {
        using CancellationTokenRegistration stops = stop.Register(source.Stop);
        for (int number = 1; !stop.IsCancellationRequested; number++)
        {
            long start = Stopwatch.GetTimestamp();
            TimeSpan spent = source.Spent;
            LookResult result = source.Look();
            if (stop.IsCancellationRequested)
                break;
            TimeSpan wait = Take(result);
            if (IsOver())
                return End();
            if (number == plan.Count)
                return Looks == 0 ? throw Unreadable() : _failures == 0 && _last!.View.Complete ? ExitCodes.Fine : ExitCodes.Partial;
            Wait(wait - Stopwatch.GetElapsedTime(start), spent);
        }
        return ExitCodes.Fine;
    }

    // As long as the pace says, and longer while others want the processors. What a look costs is known when the next one begins: the runtime goes on compiling after it.
    private void Wait(TimeSpan least, TimeSpan spent)
    {
        long start = Stopwatch.GetTimestamp();
        ImmutableArray<ProcessorTime> before = meter.Read(Now());
        if (least > TimeSpan.Zero)
            stop.WaitHandle.WaitOne(least);
        long due = Stopwatch.GetTimestamp();
        _late = TimeSpan.Zero;
        while (Looks > 0 && !stop.IsCancellationRequested && !_pace.Allows(source.Spent - spent, ProcessorMeter.Between(before, meter.Read(Now())), Stopwatch.GetElapsedTime(start)))
        {
            view.Wait();
            stop.WaitHandle.WaitOne(LoadCheck);
            _late = Stopwatch.GetElapsedTime(due);
        }
    }

    private static TimeSpan Now() => Stopwatch.GetElapsedTime(0);

    private bool IsOver() => _ended >= EndedTries || (Looks == 0 && _failures >= FirstTries);

    // Until the process ended everything was read: that is what was asked for.
    private int End()
    {
        if (Looks == 0)
            throw Unreadable();
        view.End($"process {_last!.Model.Target.Pid} has ended, after {DisplayText.Count(Looks, "look")}");
        return ExitCodes.Fine;
    }

    // How long to wait before the next look.
    private TimeSpan Take(LookResult result)
    {
        try
        {
            if (result.Snapshot is not null)
                return Take(result.Snapshot);
        }
        catch (TargetException e)
        {
            result = new() { Failure = e.Message, Fix = e.Fix };
        }
        _ended = result.HasEnded ? _ended + 1 : 0;
        _failures++;
        // Said once, not each second.
        if (_failed.Failure != result.Failure && !result.HasEnded && Looks > 0)
            view.Say("could not look: " + result.Failure);
        _failed = result;
        return Looks == 0 || _ended > 0 ? Pause : _pace.After(TimeSpan.Zero);
    }

    private TimeSpan Take(byte[] snapshot)
    {
        AsyncModel model = SnapshotFile.Read(new MemoryStream(snapshot)).Model;
        if (_last is not null && model.Target.Pid != _last.Model.Target.Pid)
            return Take(new LookResult { Failure = "another process has its name", HasEnded = true });
        (_failures, _ended, _failed) = (0, 0, LookResult.Over);
        lock (models)
            _last = series.Add(model, stop);
        TimeSpan interval = _pace.After(TimeSpan.FromMilliseconds(model.Target.FreezeMs ?? 0));
        view.Show(_last, snapshot, interval, _late);
        foreach (string sentence in saver.Take(_last, snapshot))
            view.Say(sentence);
        return interval;
    }

    private TargetException Unreadable() => new(_failed.Failure ?? "nothing could be read", _failed.Fix ?? "try again when it has less to do, or with --freeze full");
}
