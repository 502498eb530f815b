using System.Globalization;
using System.Runtime.ExceptionServices;
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

    // A tenth of what an equal thread would get, where all processors are busy.
    private const int Courtesy = 10;

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
            (byte[] bytes, int? pid) = opened.IsStopped ? Read(opened, analysis, session.Cancellation) : Aside(() => Read(opened, analysis, session.Cancellation));
            target = pid?.ToString(CultureInfo.InvariantCulture) ?? target;
            return new(LookKind.Model, bytes);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            Failure failure = Failure.From(exception);
            return new(exception is TargetException { HasEnded: true } ? LookKind.Ended : LookKind.Failure, Encoding.UTF8.GetBytes($"{failure.Message}\0{failure.Fix}"));
        }
    }

    private static (byte[] Snapshot, int? Pid) Read(Target opened, AnalysisOptions analysis, CancellationToken cancellation)
    {
        using var bytes = new MemoryStream();
        AnalyzedTarget analyzed = AnalyzedTarget.Analyze(opened, analysis, null, cancellation);
        SnapshotFile.Write(analyzed, bytes, new SnapshotOptions());
        return (bytes.ToArray(), analyzed.Model.Target.Pid);
    }

    // The process runs on with what was copied of it: where processors are scarce, it has the first claim to them, and its clients do not wait for a picture.
    // Copying itself is done by the caller's thread, which is as urgent as any: until it is done, the process is stopped.
    private static T Aside<T>(Func<T> work)
    {
        T? result = default;
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            if (OperatingSystem.IsLinux())
                NativeProcess.GiveWay(Courtesy);
            try
            {
                result = work();
            }
            catch (Exception e)
            {
                failure = ExceptionDispatchInfo.Capture(e);
            }
        });
        thread.Start();
        thread.Join();
        failure?.Throw();
        return result!;
    }
}
