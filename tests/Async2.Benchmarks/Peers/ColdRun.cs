using System.Diagnostics;
using Async2.Analysis;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Benchmarks.Peers;

/// <summary>Our analysis as a command does it: once, in a process that has just started. Prints a line for each time, <c>name milliseconds</c>.</summary>
internal static class ColdRun
{
    public const string Command = "cold";

    /// <summary>Name of the line with the time from the start of the process until there is an answer.</summary>
    public const string Whole = "whole";

    /// <summary>Name of the line with the time of all findings, and of what has to be compiled for a first answer: what that takes longer than a second one.</summary>
    public const string Findings = "findings";

    /// <summary>The phase in which code is read for who holds a lock, as the analysis reports it.</summary>
    public const string Holders = "finding who holds what is waited for";

    public static int Run(string path)
    {
        using var target = Target.Open(path, new TargetOptions());
        var phases = new PhaseClock();
        var read = AnalyzedTarget.Analyze(target, new AnalysisOptions(), phases);
        phases.Stop();
        long start = Stopwatch.GetTimestamp();
        read.Ask(new AnalysisOptions());
        TimeSpan first = Stopwatch.GetElapsedTime(start), whole = DateTime.Now - Process.GetCurrentProcess().StartTime;
        start = Stopwatch.GetTimestamp();
        read.Ask(new AnalysisOptions());
        InProcess.Print(Whole, whole);
        InProcess.Print(Findings, first - Stopwatch.GetElapsedTime(start));
        InProcess.Print(Holders, phases.Times.FirstOrDefault(pair => pair.Phase == Holders).Time);
        return 0;
    }
}
