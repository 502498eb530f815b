using System.Globalization;
using System.Text;
using Async2.Analysis;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
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
        for (bool isFirst = true; input.ReadByte() == LookFrame.Request; isFirst = false)
            Look(session, ref target, opening, analysis, isFirst).Write(output);
        return ExitCodes.Fine;
    }

    // A name is looked up once: later it may be that of another process.
    private static LookFrame Look(ToolSession session, ref string target, TargetOptions opening, AnalysisOptions analysis, bool isFirst)
    {
        try
        {
            string name = target;
            // Somebody waits for the first look. A process that stays stopped waits for each.
            (byte[] bytes, int? pid) = isFirst || opening.Freeze == FreezeMode.Full || !SpareTime.IsPossible
                ? ReadAtOnce(session, name, opening, analysis) : SpareTime.Do(() => ReadInSpareTime(session, name, opening, analysis));
            target = pid?.ToString(CultureInfo.InvariantCulture) ?? target;
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
