using System.Globalization;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Runtimes;

namespace Async2.Dump.Workers;

/// <summary>What the end of a worker says about its target.</summary>
internal static class WorkerFailure
{
    private const string DumpFix = "copy the whole dump again, or write a new one: dotnet-async2 dump collect PID";

    /// <summary>The time limit for reading a dump, on any disk.</summary>
    public static TimeSpan TimeFor(string dump) => TimeSpan.FromSeconds(40 + (60.0 * new FileInfo(dump).Length / (1 << 30)));

    /// <summary>The error if reading a dump took too long.</summary>
    public static TargetException TooLong(string target)
        => new($"'{target}' could not be read in the time that its size allows, so reading was stopped: the dump is probably damaged.", DumpFix);

    /// <summary>The error if the worker crashed.</summary>
    /// <param name="target">The user's TARGET.</param>
    /// <param name="end">How the worker ended.</param>
    /// <param name="tries">The number of workers that ended this way.</param>
    public static TargetException Crashed(string target, WorkerExit end, int tries)
    {
        bool isProcess = int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int pid);
        string what = (isProcess ? $"Process {pid}" : $"'{target}'") + " could not be read: ";
        if (end.IsKill)
            return new(what + "the worker process was killed, probably because this machine has too little memory.", "read a dump of it on a bigger machine: dotnet-async2 dump collect PID");
        string crash = DacCrash.Text("it", end.Signal);
        if (isProcess)
            return new($"{what}{crash}; it may have changed or ended meanwhile.", $"{(tries > 1 ? FormattableString.Invariant($"it was tried {tries} times: ") : "")}try again when it has less to do, or with --freeze full; or write a dump and read that: dotnet-async2 dump collect {pid}");
        // Dumps are mapped: touching a missing page is not an error of a call, but this signal.
        if (end.IsBusError)
            return new($"'{target}' could not be read completely: the file was truncated or its disk failed while it was read.", DumpFix);
        string why = Target.DamageOf(target) is { } damage ? damage.Text.Split(';')[0] : $"{crash}, so the dump is probably damaged";
        return new($"{what}{why}.", DumpFix + "; a file given as --dac has to be of the target's exact build.");
    }
}
