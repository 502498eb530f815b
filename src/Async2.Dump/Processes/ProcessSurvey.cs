using System.Collections.Immutable;
using System.Diagnostics;
using Async2.Analysis.Targets.Processes;

namespace Async2.Dump.Processes;

/// <summary>Looks at all processes of a list, some at the same time, and ends in time on a busy machine: what was not reached by then is in the list, with the reason.</summary>
/// <param name="lookAt">Reads one of them; null if it has ended.</param>
/// <param name="limit">After this time no other one is begun.</param>
internal sealed class ProcessSurvey(Func<RunningProcess, ProcessRow?> lookAt, TimeSpan limit)
{
    /// <summary>For a list that somebody waits for.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    /// <summary>A row for each process that has not ended meanwhile, in the order of the list; after an interrupt only those that were read.</summary>
    /// <param name="processes">The processes.</param>
    /// <param name="cancellation">Stops it.</param>
    /// <param name="found">Told of each when it was read, by several threads; null for nobody.</param>
    public ProcessRow[] Look(ImmutableArray<RunningProcess> processes, CancellationToken cancellation, Action<ProcessRow>? found = null)
    {
        long start = Stopwatch.GetTimestamp();
        var rows = new ProcessRow?[processes.Length];
        Parallel.For(0, rows.Length, new ParallelOptions { MaxDegreeOfParallelism = Environment.ProcessorCount }, index =>
        {
            if (cancellation.IsCancellationRequested)
                return;
            rows[index] = Stopwatch.GetElapsedTime(start) < limit ? lookAt(processes[index]) : NotReached(processes[index]);
            if (rows[index] is { } row)
                found?.Invoke(row);
        });
        return [.. rows.OfType<ProcessRow>()];
    }

    private static ProcessRow NotReached(RunningProcess process)
        => ProcessProbe.Unread(process) with { Reason = $"not read: the processes before it took too long; dotnet-async2 {process.Pid} reads it" };
}
