using System.Globalization;
using Async2.Benchmarks.Processes;
using Async2.Benchmarks.Results;

namespace Async2.Benchmarks.Measures;

/// <summary>What the tool costs when there is nothing to do: a small process against an empty program.</summary>
internal static class StartupMeasures
{
    public const string Name = "startup";

    // Short runs are cheap and noisy.
    private const int RoundsForOne = 3;

    /// <exception cref="BenchException">A program failed.</exception>
    public static void Run(BenchOptions options, Tool tool, Report report)
    {
        report.Say("startup: small process");
        string hello = Repository.PathOf("dumps", "Workloads.Hello", "bin", "Release", "net10.0", "hello.dll");
        using WorkloadProcess process = WorkloadProcess.Start("chains", "10", "10");
        string pid = process.Pid.ToString(CultureInfo.InvariantCulture);
        (Samples ours, Samples peer) = Samples.Interleave(
            RoundsForOne * options.Rounds, () => tool.Analyze(pid), () => Child.MustRun(hello).Time);
        report.Add(new Row(Name, "analyze of a small process / dotnet hello.dll", ours.Median, peer.Median, Unit.Milliseconds) { Goal = 3 });
        if (Tool.Native is not { } native)
            return;
        (ours, peer) = Samples.Interleave(RoundsForOne * options.Rounds, () => native.Analyze(pid), () => Child.MustRun(hello).Time);
        report.Add(new Row(Name, "analyze of a small process, native / dotnet hello.dll", ours.Median, peer.Median, Unit.Milliseconds) { Goal = 3 });
        (ours, peer) = Samples.Interleave(RoundsForOne * options.Rounds, () => Child.MustRun(native.Path, "--version").Time, () => Child.MustRun(hello).Time);
        report.Add(new Row(Name, "--version, native / dotnet hello.dll", ours.Median, peer.Median, Unit.Milliseconds));
        (ours, peer) = Samples.Interleave(options.Rounds, () => Child.MustRun(native.Path, "ps", pid).Time, () => Child.MustRun(hello).Time);
        report.Add(new Row(Name, "ps of a small process, native / dotnet hello.dll", ours.Median, peer.Median, Unit.Milliseconds));
    }
}
