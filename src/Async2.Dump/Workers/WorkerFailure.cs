using System.Globalization;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Runtimes;

namespace Async2.Dump.Workers;

/// <summary>What the end of a worker says about the target that it read.</summary>
internal static class WorkerFailure
{
    private const string DumpFix = "copy the dump again in whole, or write a new one: dotnet-async2 dump collect PID";

    /// <summary>The time in which a dump is read, whatever the disk.</summary>
    public static TimeSpan TimeFor(string dump) => TimeSpan.FromSeconds(40 + (60.0 * new FileInfo(dump).Length / (1 << 30)));

    /// <summary>What it says about a dump that it took too long.</summary>
    public static TargetException TooLong(string target)
        => new($"'{target}' could not be read in a time that fits its size: the reader was stopped, so the dump is probably damaged.", DumpFix);

    /// <summary>What a crash of the worker says about the target.</summary>
    /// <param name="target">As it was named.</param>
    /// <param name="end">How the worker ended.</param>
    /// <param name="tries">How many workers ended so.</param>
    public static TargetException Crashed(string target, WorkerExit end, int tries)
    {
        bool isProcess = int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int pid);
        string what = (isProcess ? $"Process {pid}" : $"'{target}'") + " could not be read: ";
        if (end.IsKill)
            return new(what + "the reader was killed, probably because this machine has too little memory.", "read a dump of it on a bigger machine: dotnet-async2 dump collect PID");
        string crash = DacCrash.Text("it", end.Signal);
        if (isProcess)
            return new($"{what}{crash}; it may have changed or ended meanwhile.", $"{(tries > 1 ? FormattableString.Invariant($"it was tried {tries} times: ") : "")}try again when it has less to do, or with --freeze full; or write a dump and read that: dotnet-async2 dump collect {pid}");
        // Dumps are mapped: what is no longer there when it is touched is not an error of a call, but this signal.
        if (end.IsBusError)
            return new($"'{target}' could not be read to its end: the file was cut short or its disk failed while it was read.", DumpFix);
        string why = Target.DamageOf(target) is { } damage ? damage.Text.Split(';')[0] : $"{crash}, so the dump is probably damaged";
        return new($"{what}{why}.", DumpFix + "; a file given as --dac has to be of the target's exact build.");
    }
}
