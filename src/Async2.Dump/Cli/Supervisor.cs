using System.Globalization;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets;
using Async2.Analysis;

namespace Async2.Dump.Cli;

/// <summary>
/// Reads a target in a process of its own. The runtime's data access library is native code that believes what it reads: on
/// damaged data any call of it may crash, and nothing in its own process can prevent that. So the process that the user
/// started never loads it, and a crash of the reader becomes a sentence and an exit code like any other. As long as the reader
/// does well its supervisor only waits: it does not even understand the command line, which would take as long as to start it.
/// </summary>
internal static class Supervisor
{
    private const int SignalBase = 128;
    private const int Killed = SignalBase + 9;
    private const int BusError = SignalBase + 7;

    private const int SegmentationFault = 11;
    private const int Abort = 6;
    private const int Trap = 5;
    private const int ReadLimit = 4;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    // Commands that start processes of their own or wait for a client, and questions about the tool.
    private static readonly string[] NotForAReader = ["ps", "demo", "sos", "look-into", "dap", "--help", "-h", "-?", "/h", "/?", "--version"];

    private static readonly TimeSpan Beginning = TimeSpan.FromSeconds(10);

    private static WorkerProcess? _current;
    private static int _asked;

    /// <summary>This process is the reader.</summary>
    public static bool IsReader => OwnProcesses.Supervisor is not null;

    /// <summary>
    /// Whether a command line reads a target, by a glance at its words. A wrong yes costs time: the reader does whatever else it
    /// turns out to be. A wrong no is put right when the command line is understood.
    /// </summary>
    public static bool Wants(string[] args)
    {
        if (Environment.GetEnvironmentVariable(OwnProcesses.SupervisorVariable) is not null)
            return false;
        bool any = false;
        foreach (string word in args)
        {
            if (IsIndirect(word) || IsNotForAReader(word))
                return false;
            any |= !word.StartsWith('-');
        }
        return any;
    }

    /// <summary>Whether only the parser knows what a word means: a directive, a file with more words.</summary>
    public static bool IsIndirect(string word) => word.StartsWith('[') || word.StartsWith('@');

    // A plain loop: what generic code the framework has no compiled form of, the JIT would have to be loaded for.
    private static bool IsNotForAReader(string word)
    {
        foreach (string other in NotForAReader)
        {
            if (word == other)
                return true;
        }
        return false;
    }

    /// <summary>Runs a command line in a reader and returns its exit code; the outputs are shared.</summary>
    public static int Run(string[] args)
    {
        // Before there is a reader, and between two: what comes then is for the next one.
        using PosixSignalRegistration interrupt = Listen(PosixSignal.SIGINT), termination = Listen(PosixSignal.SIGTERM);
        int exitCode = Read(args);
        return IsAnswer(exitCode) ? exitCode : AfterFailure(args, exitCode);
    }

    private static int Read(string[] args, string? told = null)
    {
        using WorkerProcess reader = WorkerProcess.Start(args, told);
        Interlocked.Exchange(ref _current, reader);
        if (WasAsked)
            reader.AskToStop();
        new Thread(() => EndInTime(args, reader)) { IsBackground = true }.Start();
        return reader.Wait();
    }

    private static bool IsAnswer(int exitCode) => exitCode is >= ExitCodes.Fine and <= ExitCodes.Partial or ExitCodes.Interrupted;

    // What crashed the library may be gone a moment later: a process was stopped while its runtime changed what is read.
    private static int AfterFailure(string[] args, int exitCode)
    {
        string target = ToolMain.Target(args) ?? "the target";
        // A dump stays as it is: it is tried once more, without what crashes the library most.
        int crashes = File.Exists(target) ? ReadLimit - 1 : 1;
        for (; crashes < ReadLimit && IsCrash(exitCode); crashes++)
        {
            Thread.Sleep(Pause * crashes);
            if (WasAsked)
                break;
            exitCode = Read(args, FormattableString.Invariant($"{RepeatedReading.CrashVariable}={crashes} signal {exitCode - SignalBase}"));
            if (IsAnswer(exitCode))
                return exitCode;
        }
        // However one ends that was asked to stop, nobody wants to know what else is wrong with the target.
        return ToolMain.Fail(args, _current!.WasEnded ? TooLong(target) : WasAsked ? new OperationCanceledException() : Crashed(target, exitCode, crashes));
    }

    private static bool WasAsked => Volatile.Read(ref _asked) != 0;

    private static bool IsCrash(int exitCode) => !_current!.WasEnded && !WasAsked && exitCode - SignalBase is SegmentationFault or Abort or Trap;

    // The first signal asks the reader to print what it has, a second one ends all at once.
    private static PosixSignalRegistration Listen(PosixSignal signal) => PosixSignalRegistration.Create(signal, context =>
    {
        if (Interlocked.Exchange(ref _asked, 1) != 0)
            Environment.Exit(ExitCodes.Interrupted);
        Volatile.Read(ref _current)?.AskToStop();
        context.Cancel = true;
    });

    // Damaged data can send the library into a loop as well as into a crash. A dump has a size, so there is a time by which even
    // a slow disk has given it; a live process has none, and Ctrl-C ends that.
    private static void EndInTime(string[] args, WorkerProcess reader)
    {
        // Long before any limit; the command line need not be understood until then.
        Thread.Sleep(Beginning);
        if (ToolMain.Target(args) is not { } target || !File.Exists(target))
            return;
        Thread.Sleep(TimeFor(target) - Beginning);
        reader.End();
    }

    /// <summary>The time in which a dump is read, whatever the disk.</summary>
    public static TimeSpan TimeFor(string dump) => TimeSpan.FromSeconds(40 + (60.0 * new FileInfo(dump).Length / (1 << 30)));

    /// <summary>What it says about a dump that it took too long.</summary>
    public static TargetException TooLong(string target) => new(
        $"'{target}' could not be read in a time that fits its size: the reader was stopped, so the dump is probably damaged.",
        "copy the dump again in whole, or write a new one: dotnet-async2 dump collect PID");

    /// <summary>What a crash of the reader says about the target.</summary>
    /// <param name="target">As it was named.</param>
    /// <param name="exitCode">The reader's.</param>
    /// <param name="tries">How many readers ended so.</param>
    public static TargetException Crashed(string target, int exitCode, int tries)
    {
        bool isProcess = int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int pid);
        string what = (isProcess ? $"Process {pid}" : $"'{target}'") + " could not be read: ";
        if (exitCode == Killed)
            return new(what + "the reader was killed, probably because this machine has too little memory.", "read a dump of it on a bigger machine: dotnet-async2 dump collect PID");
        string crash = "the runtime's data access library crashed on it" + (exitCode > SignalBase ? $" (signal {exitCode - SignalBase})" : "");
        if (isProcess)
            return new($"{what}{crash}; it may have changed or ended meanwhile.", $"{(tries > 1 ? FormattableString.Invariant($"it was tried {tries} times: ") : "")}try again when it has less to do, or with --freeze full; or write a dump and read that: dotnet-async2 dump collect {pid}");
        const string fix = "copy the dump again in whole, or write a new one: dotnet-async2 dump collect PID";
        // Dumps are mapped: what is no longer there when it is touched is not an error of a call, but this signal.
        if (exitCode == BusError)
            return new($"'{target}' could not be read to its end: the file was cut short or its disk failed while it was read.", fix);
        string why = DumpOpener.Damage(target) is { } damage ? damage.Text.Split(';')[0] : $"{crash}, so the dump is probably damaged";
        return new($"{what}{why}.", fix + "; a file given as --dac has to be of the target's exact build.");
    }
}
