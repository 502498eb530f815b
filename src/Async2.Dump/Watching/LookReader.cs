using System.Globalization;
using System.Text;
using Async2.Analysis;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Async2.Dump.Cli;
using Async2.Dump.Workers;

namespace Async2.Dump.Watching;

/// <summary>
/// The process that reads the target of <c>watch</c>, again and again: code that is compiled, the runtime's library and what is known of files stay from
/// look to look. It is asked on standard input and answers on standard output; it ends when its input does.
/// </summary>
internal static class LookReader
{
    private const int StandardOutput = 1;

    /// <summary>Answers until nobody asks any more; returns the exit code.</summary>
    public static int Run(ToolSession session, string target, TargetOptions opening, AnalysisOptions analysis)
    {
        using Stream input = Console.OpenStandardInput(), output = Console.OpenStandardOutput();
        // Only answers may go to standard output. The streams are duplicates of the descriptors that native code uses.
        Console.SetOut(TextWriter.Null);
        if (OperatingSystem.IsLinux())
            NativeProcess.RedirectToNull(StandardOutput);
        WorkerProcess.Enter(quiet: !session.Verbose, ExitCodes.Interrupted);
        Analyzer.Prepare();
        RunningProcess? seen = null;
        for (bool isFirst = true; input.ReadByte() == LookFrame.Request; isFirst = false)
            Look(session, target, ref seen, opening, analysis, isFirst).Write(output);
        return ExitCodes.Fine;
    }

    // A name is looked up once: later it may be that of another process. So may an id.
    private static LookFrame Look(ToolSession session, string target, ref RunningProcess? seen, TargetOptions opening, AnalysisOptions analysis, bool isFirst)
    {
        try
        {
            string name = seen?.Pid.ToString(CultureInfo.InvariantCulture) ?? target;
            RunningProcess? before = seen ?? (int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? ProcessList.Find(id) : null);
            // Somebody waits for the first look. A process that stays stopped waits for each.
            (byte[] bytes, int? pid) = isFirst || opening.Freeze == FreezeMode.Full || !SpareTime.IsPossible
                ? ReadAtOnce(session, name, opening, analysis) : SpareTime.Do(() => ReadInSpareTime(session, name, opening, analysis));
            RunningProcess? now = pid is { } read ? ProcessList.Find(read) : null;
            if (before is not null && now is not null && now.Started != before.Started)
                throw new TargetException($"process {now.Pid} has ended, and another one has its id now", $"run again to look at that one: {now.Name}") { HasEnded = true };
            seen = before ?? now;
            return new(LookKind.Model, bytes);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            Failure failure = Failure.From(exception);
            return new(exception is TargetException { HasEnded: true } ? LookKind.Ended : LookKind.Failure, Encoding.UTF8.GetBytes($"{failure.Message}\0{failure.Fix}"));
        }
    }

    private static (byte[] Snapshot, int? Pid) ReadAtOnce(ToolSession session, string target, TargetOptions opening, AnalysisOptions analysis)
    {
        using Target opened = Target.Open(target, opening);
        return opened.IsStopped ? Read(opened, analysis, session.Cancellation) : SpareTime.GiveWay(() => Read(opened, analysis, session.Cancellation));
    }

    private static (byte[] Snapshot, int? Pid) ReadInSpareTime(ToolSession session, string target, TargetOptions opening, AnalysisOptions analysis)
    {
        using Target opened = Target.Open(target, opening);
        if (opened.IsStopped)
            SpareTime.End();
        return Read(opened, analysis, session.Cancellation);
    }

    private static (byte[] Snapshot, int? Pid) Read(Target opened, AnalysisOptions analysis, CancellationToken cancellation)
    {
        using var bytes = new MemoryStream();
        AnalyzedTarget analyzed = AnalyzedTarget.Analyze(opened, analysis, null, cancellation);
        SnapshotFile.Write(analyzed, bytes, new SnapshotOptions());
        return (bytes.ToArray(), analyzed.Model.Target.Pid);
    }
}
