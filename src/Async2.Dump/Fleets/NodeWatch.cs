using System.Globalization;
using Async2.Analysis.Targets.Processes;
using Async2.Dump.Cli;
using Async2.Dump.Watching;

namespace Async2.Dump.Fleets;

/// <summary>
/// Watches several processes, or all of a machine: one look after the other, each by a reader of its own that ends with it. It says what begins and ends, not each look. Processes
/// that come are watched, too, and those that end are forgotten.
/// </summary>
/// <param name="choice">Which processes.</param>
/// <param name="plan">How often.</param>
/// <param name="reader">Reads them.</param>
/// <param name="isVerbose">Say something of each look.</param>
/// <param name="stop">Set when the user ends it.</param>
internal sealed class NodeWatch(ProcessChoice choice, WatchPlan plan, NodeReader reader, bool isVerbose, CancellationToken stop)
{
    /// <summary>How many are watched.</summary>
    public const int Most = 200;

    // Of one processor, if nobody says how often to look.
    private const double Share = 0.05;

    private static readonly TimeSpan DefaultRound = TimeSpan.FromSeconds(60), Check = TimeSpan.FromMilliseconds(200);

    private readonly Dictionary<int, WatchedProcess> _watched = [];
    private readonly HashSet<string> _missing = [], _found = [];
    private bool _areTooMany;

    /// <summary>Runs it; returns the exit code.</summary>
    public int Run()
    {
        for (int round = 1; ; round++)
        {
            long start = Environment.TickCount64;
            Update();
            if (_watched.Count == 0 && _found.Count > 0 && choice.IsOfIds)
                return ExitCodes.Fine;
            foreach (WatchedProcess process in _watched.Values.OrderBy(process => process.Process.Pid).ToArray())
            {
                if (stop.IsCancellationRequested)
                    return ExitCodes.Fine;
                Look(process);
            }
            if (stop.IsCancellationRequested)
                return ExitCodes.Fine;
            if (round == plan.Count)
                return _watched.Count == 0 ? ExitCodes.Unreadable : _missing.Count > 0 || _watched.Values.Any(process => process.IsPartial) ? ExitCodes.Partial : ExitCodes.Fine;
            Wait((plan.Interval ?? DefaultRound) - TimeSpan.FromMilliseconds(Environment.TickCount64 - start));
        }
    }

    private void Look(WatchedProcess process)
    {
        using ILookSource source = reader.Read(process.Process);
        using CancellationTokenRegistration stops = stop.Register(source.Stop);
        TimeSpan before = source.Spent;
        foreach (string sentence in process.Look(source, isVerbose, stop))
            reader.Say(process.Process, sentence);
        // Who says how often gets that, and pays for it.
        if (plan.Interval is null)
            Wait((source.Spent - before) * ((1 / Share) - 1));
    }

    private void Update()
    {
        RunningProcess[] all = [.. choice.Find()];
        if (all.Length > Most && !_areTooMany)
            reader.Say(null, string.Create(CultureInfo.InvariantCulture, $"{all.Length} processes are too many: {Most} of them are watched"));
        _areTooMany = all.Length > Most;
        Dictionary<int, RunningProcess> now = all.Take(Most).ToDictionary(process => process.Pid);
        // An id that another program has now, or the same one started again, is another process; how it was started may be read differently.
        foreach (WatchedProcess gone in _watched.Values.Where(watched => !now.TryGetValue(watched.Process.Pid, out RunningProcess? process) || process.Name != watched.Process.Name || process.Started != watched.Process.Started).ToArray())
        {
            _watched.Remove(gone.Process.Pid);
            gone.End();
            reader.Say(gone.Process, "has ended");
        }
        foreach (RunningProcess process in now.Values.Where(process => !_watched.ContainsKey(process.Pid)).OrderBy(process => process.Pid))
        {
            _watched[process.Pid] = reader.Watch(process);
            reader.Say(process, process.Runtime is { } runtime ? $"is watched, .NET {runtime}" : "is watched");
        }
        SayMissing(all);
    }

    // Once each, until there is one; of what was there is said that it has ended.
    private void SayMissing(RunningProcess[] all)
    {
        foreach (string word in choice.Words)
        {
            if (all.Any(process => ProcessChoice.IsMeant(word, process)))
                _found.Add(word);
            else if (!_found.Contains(word) && _missing.Add(word))
                reader.Say(null, $"no .NET process that may be read is '{word}'");
        }
        _missing.ExceptWith(_found);
    }

    private void Wait(TimeSpan time)
    {
        for (long end = Environment.TickCount64 + (long)time.TotalMilliseconds; !stop.IsCancellationRequested && Environment.TickCount64 < end;)
            stop.WaitHandle.WaitOne(Check);
    }
}
