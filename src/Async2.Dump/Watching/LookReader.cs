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
        while (input.ReadByte() == LookFrame.Request)
            Look(session, ref target, opening, analysis).Write(output);
        return ExitCodes.Fine;
    }

    // A name is looked up once: later it may be that of another process.
    private static LookFrame Look(ToolSession session, ref string target, TargetOptions opening, AnalysisOptions analysis)
    {
        try
        {
            using Target opened = Target.Open(target, opening);
            using var bytes = new MemoryStream();
            AnalyzedTarget analyzed = AnalyzedTarget.Analyze(opened, analysis, null, session.Cancellation);
            SnapshotFile.Write(analyzed, bytes, new SnapshotOptions());
            target = analyzed.Model.Target.Pid?.ToString(CultureInfo.InvariantCulture) ?? target;
            return new(LookKind.Model, bytes.ToArray());
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            Failure failure = Failure.From(exception);
            return new(exception is TargetException { HasEnded: true } ? LookKind.Ended : LookKind.Failure, Encoding.UTF8.GetBytes($"{failure.Message}\0{failure.Fix}"));
        }
    }
}
