using System.Globalization;
using Async2.Analysis.Targets;
using Async2.Benchmarks.Peers;
using Async2.Benchmarks.Processes;
using Async2.Benchmarks.Results;

namespace Async2.Benchmarks.Measures;

/// <summary>Makes a dump of one workload and measures the tool on it: the whole command, warm in one process, and its memory.</summary>
internal sealed class DumpMeasures(Workload workload, BenchOptions options, Tool tool, Report report)
{
    private const string CodePhase = "finding code";
    private static readonly string Self = typeof(DumpMeasures).Assembly.Location;

    /// <returns>The point for the row about growth.</returns>
    /// <exception cref="BenchException">A program failed, or the disk is too small.</exception>
    public GrowthPoint Run()
    {
        using var folder = new DumpFolder();
        string dump = folder.PathOf(workload.Name + ".dmp");
        long frames = MakeDump(folder, dump);
        Check(dump, frames);
        double whole = WholeCommand(dump);
        double warm = Warm(dump);
        report.Say($"{workload.Name}: memory");
        report.Add(MemoryRow.Of(workload.Name, tool, dump, frames, options.MemoryRounds));
        return new GrowthPoint(workload.Name, frames, whole, warm);
    }

    private long MakeDump(DumpFolder folder, string dump)
    {
        report.Say($"{workload.Name}: start and dump");
        using WorkloadProcess process = WorkloadProcess.Start(workload.Arguments);
        folder.MustHold(process.Size);
        try
        {
            DumpWriter.Write(process.Pid, dump);
        }
        catch (TargetException failed)
        {
            throw new BenchException(failed.Message);
        }
        return process.Frames;
    }

    private void Check(string dump, long frames)
    {
        if (tool.CountFrames(dump) is var found && found < frames)
            report.Note($"{workload.Name}: the tool finds {found} of {frames} frames");
    }

    private double WholeCommand(string dump)
    {
        report.Say($"{workload.Name}: whole command");
        (Samples ours, Samples peer) = Samples.Interleave(
            options.Rounds, () => tool.Analyze(dump), () => Child.MustRun(Self, EnumerateObjects.Command, dump).Time);
        report.Add(new Row(workload.Name, "whole command / enumerate program", ours.Median, peer.Median, Unit.Milliseconds)
        {
            Goal = workload.Name switch { Workload.Million => 0.45, Workload.Unrelated => 0.2, _ => null },
        });
        return ours.Median;
    }

    private double Warm(string dump)
    {
        report.Say($"{workload.Name}: in one process");
        string[] lines = Child.MustRun(Self, InProcess.Command, dump, options.Rounds.ToString(CultureInfo.InvariantCulture))
            .Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var times = new Dictionary<string, Samples>();
        foreach (string line in lines)
        {
            int space = line.LastIndexOf(' ');
            times.TryAdd(line[..space], new Samples());
            times[line[..space]].Add(double.Parse(line.AsSpan(space), CultureInfo.InvariantCulture));
        }
        double all = times[InProcess.Ours].Median;
        double code = times.TryGetValue(CodePhase, out Samples? found) ? found.Median : 0;
        report.Add(new Row(workload.Name, "index, link, coalesce / EnumerateObjects, warm", all - code, times[InProcess.Peer].Median, Unit.Milliseconds)
        {
            Goal = workload.Name switch { Workload.Million => 0.15, Workload.Unrelated => 0.2, _ => null },
        });
        report.Note($"{workload.Name}, warm: " + string.Join(", ", times
            .Where(pair => pair.Key is not (InProcess.Peer or InProcess.Ours))
            .Select(pair => $"{pair.Key} {Unit.Milliseconds.Format(pair.Value.Median)}")));
        return all;
    }
}
