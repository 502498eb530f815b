using System.CommandLine;
using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Dumps;
using Async2.Dump.Cli;

namespace Async2.Dump.Commands;

/// <summary><c>dump collect PID</c>: writes a dump that the tool can analyze, and proves it by reading the dump.</summary>
internal static class DumpCollectCommand
{
    public static Command Create(ToolCommands tool)
    {
        var command = new Command("collect", "Writes a full dump of a process and checks that it can be analyzed.");
        var pid = new Argument<int>("PID") { Description = "Process id", CustomParser = result => Numbers.Positive(result, "PID") };
        var output = new Option<string?>("--output", "-o") { Description = "File to write; the process itself writes it", HelpName = "FILE" };
        var force = new Option<bool>("--force") { Description = "Overwrite the file" };
        command.Arguments.Add(pid);
        command.Options.Add(output);
        command.Options.Add(force);
        tool.SetReadingAction(command, parsed => parsed.GetValue(output) ?? "the dump", (session, parsed) => Run(session, parsed.GetValue(pid), parsed.GetValue(output), parsed.GetValue(force)));
        return command;
    }

    /// <summary>A name that sorts by time and contains the process's name.</summary>
    public static string DefaultName(int pid, DateTime utc)
        => $"dotnet-async2_{pid.ToString(CultureInfo.InvariantCulture)}_{utc.ToString("yyyyMMdd_HHmmss", CultureInfo.InvariantCulture)}.dmp";

    private static int Run(ToolSession session, int pid, string? output, bool force)
    {
        string path = Place(output ?? DefaultName(pid, DateTime.UtcNow), force);
        long size = DumpWriter.Write(pid, path, session.Progress, session.Cancellation);
        StackView snapshot = StackReport.Read(session, options => Target.OpenDump(path, options), new TargetOptions(), new AnalysisOptions());
        WrittenFile.Print(session, path, DisplayText.Number(size / 1_000_000) + " MB", snapshot, "readable to the end");
        return StackReport.ExitCode(snapshot, session.Cancellation);
    }

    /// <summary>The path of the dump with all links resolved: a free name, or a file that may be replaced.</summary>
    /// <exception cref="UsageException">A file exists there and is kept.</exception>
    private static string Place(string typed, bool force)
    {
        AnswerFile.Check(typed);
        OutputPath path = OutputPath.Of(typed);
        if (path.Kind is not (OutputKind.New or OutputKind.File))
            throw new UsageException($"{typed} is not a file on a disk, and a dump needs one", "type -o and the name of a file");
        if (path.Kind == OutputKind.File && !force)
            throw new UsageException($"{path.Full} exists", "type --force to overwrite it, or -o another name");
        return path.Full;
    }
}
