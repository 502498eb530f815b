using System.Diagnostics;
using System.Globalization;
using Async2.Analysis.Targets;

namespace Async2.Dump.Cli;

/// <summary>
/// Reads a target in a process of its own. The runtime's data access library is native code that believes what it reads: on
/// damaged data any call of it may crash, and nothing in its own process can prevent that. So the process that the user
/// started never loads it, and a crash of the reader becomes a sentence and an exit code like any other.
/// </summary>
internal static class Supervision
{
    private const int SignalBase = 128;
    private const int Killed = SignalBase + 9;

    /// <summary>This process is the reader.</summary>
    public static bool IsReader => OwnProcesses.Supervisor is not null;

    /// <summary>Runs this very command line in a reader and returns its exit code; the outputs are shared.</summary>
    /// <param name="session">How the tool runs now.</param>
    /// <param name="target">What is read, for the message.</param>
    /// <exception cref="TargetException">The reader crashed.</exception>
    public static int Run(ToolSession session, string target)
    {
        ProcessStartInfo start = ToolProcess.StartInfo(Environment.GetCommandLineArgs().Skip(1));
        start.Environment[OwnProcesses.SupervisorVariable] = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        // Set for the user's programs, it would write a dump of the reader and talk about it.
        start.Environment["DOTNET_DbgEnableMiniDump"] = "0";
        using Process reader = Process.Start(start)!;
        using CancellationTokenRegistration interruption = session.Cancellation.Register(() => ReaderProcess.AskToStop(reader.Id));
        reader.WaitForExit();
        return reader.ExitCode is >= ExitCodes.Fine and <= ExitCodes.Incomplete or ExitCodes.Interrupted
            ? reader.ExitCode
            : throw Crashed(target, reader.ExitCode);
    }

    /// <summary>What a crash of the reader says about the target.</summary>
    public static TargetException Crashed(string target, int exitCode)
    {
        bool isProcess = int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int pid);
        string what = (isProcess ? $"Process {pid}" : $"'{target}'") + " could not be read: ";
        if (exitCode == Killed)
            return new(what + "the reader was killed, probably because this machine has too little memory.", "read a dump of it on a bigger machine: dotnet-async2 dump collect PID");
        string crash = "the runtime's data access library crashed on it" + (exitCode > SignalBase ? $" (signal {exitCode - SignalBase})" : "");
        if (isProcess)
            return new($"{what}{crash}; it may have changed or ended meanwhile.", $"try again, without --freeze none; or write a dump and read that: dotnet-async2 dump collect {pid}");
        string why = DumpOpener.Damage(target) is { } damage ? damage.Text.Split(';')[0] : $"{crash}, so the dump is probably damaged";
        return new($"{what}{why}.", "copy the dump again in whole, or write a new one: dotnet-async2 dump collect PID; a file given as --dac has to be of the target's exact build.");
    }
}
