using System.Globalization;
using Async2.Benchmarks.Peers;
using Async2.Benchmarks.Processes;
using Async2.Benchmarks.Results;

namespace Async2.Benchmarks.Measures;

/// <summary>Makes a dump of one workload and measures the tool on it: the whole command, warm in one process, and its memory.</summary>
internal sealed class DumpMeasures(Workload workload, BenchOptions options, Tool tool, Report report)
{
    private const string CodePhase = "finding code";
    private const string HeapPhase = "reading the heap";
    private static readonly string Self = typeof(DumpMeasures).Assembly.Location;

    /// <exception cref="BenchException">A program failed, or the disk is too small.</exception>
    public void Run()
    {
        using var folder = new DumpFolder();
        report.Say($"{workload.Name}: start and dump");
        (string dump, long frames) = WorkloadDump.Make(workload, folder);
        Check(dump, frames);
        string objects = ObjectsIn(dump);
        report.Say($"{workload.Name}: whole command");
        WholeCommand(dump);
        report.Say($"{workload.Name}: in one process");
        string phases = Warm(dump);
        report.Note($"{workload.Name}: {frames:N0} frames, {objects} objects, dump of {Unit.Megabytes.Format(new FileInfo(dump).Length)}; warm: {phases}");
        report.Say($"{workload.Name}: memory");
        report.Add(MemoryRow.Of(workload.Name, "peak memory", tool, dump, frames, options.MemoryRounds));
        if (Tool.Native is { } native)
            report.Add(MemoryRow.Of(workload.Name, "peak memory, native", native, dump, frames, options.MemoryRounds));
    }

    private void Check(string dump, long frames)
    {
        if (tool.CountFrames(dump) is var found && found < frames)
            report.Note($"{workload.Name}: the tool finds {found} of {frames} frames");
    }

    private static string ObjectsIn(string dump)
        => long.Parse(Child.MustRun(Self, EnumerateObjects.Command, dump).Output, CultureInfo.InvariantCulture).ToString("N0", CultureInfo.InvariantCulture);

    private void WholeCommand(string dump)
    {
        (Samples ours, Samples peer) = Samples.Interleave(
            options.Rounds, () => tool.Analyze(dump), () => Child.MustRun(Self, EnumerateObjects.Command, dump).Time);
        report.Add(new Row(workload.Name, "whole command / enumerate program", ours.Median, peer.Median, Unit.Milliseconds)
        {
            Goal = workload.Name switch { Workload.Million => 0.45, Workload.Unrelated => 0.2, _ => null },
        });
        if (Tool.Native is not { } native)
            return;
        (ours, peer) = Samples.Interleave(options.Rounds, () => native.Analyze(dump), () => Child.MustRun(Self, EnumerateObjects.Command, dump).Time);
        report.Add(new Row(workload.Name, "whole command, native / enumerate program", ours.Median, peer.Median, Unit.Milliseconds)
        {
            Goal = workload.Name switch { Workload.Million => 0.25, Workload.Unrelated => 0.2, Workload.Single => 0.5, Workload.Mixed => 0.6, Workload.Deep => 0.4, _ => null },
        });
    }

    /// <returns>The phases with their times.</returns>
    private string Warm(string dump)
    {
        ChildResult result = Child.MustRun(Self, InProcess.Command, dump, options.Rounds.ToString(CultureInfo.InvariantCulture));
        IReadOnlyDictionary<string, Samples> times = Samples.Parse(result.Output);
        double all = times[InProcess.Ours].Median;
        double code = times.TryGetValue(CodePhase, out Samples? found) ? found.Median : 0;
        report.Add(new Row(workload.Name, "index, link, coalesce / EnumerateObjects, warm", all - code, times[InProcess.Peer].Median, Unit.Milliseconds)
        {
            Goal = workload.Name switch { Workload.Million => 0.15, Workload.Unrelated => 0.2, _ => null },
        });
        report.Add(new Row(workload.Name, "a second question / the first answer, warm", times[InProcess.Again].Median, all, Unit.Milliseconds)
        {
            Goal = workload.Name == Workload.Million ? 0.05 : null,
        });
        report.Add(new Row(workload.Name, "findings / the whole analysis, warm", times[InProcess.Findings].Median, all, Unit.Milliseconds)
        {
            Goal = workload.Name == Workload.Million ? 0.15 : null,
        });
        report.Add(new Row(workload.Name, "dumpasync2 --coalesce in a host / the same by the tool, warm", times[InProcess.Hosted].Median, all, Unit.Milliseconds)
        {
            Goal = workload.Name == Workload.Million ? 1.3 : null,
        });
        report.Add(new Row(workload.Name, "waits without an end (--deep) / reading the heap, warm", times[InProcess.Orphans].Median, times[HeapPhase].Median, Unit.Milliseconds) { Goal = 1.5 });
        return string.Join(", ", times
            .Where(pair => pair.Key is not (InProcess.Peer or InProcess.Ours or InProcess.Again or InProcess.Findings or InProcess.Hosted or InProcess.Orphans))
            .Select(pair => $"{pair.Key} {Unit.Milliseconds.Format(pair.Value.Median)}"));
    }
}
