namespace Async2.Dump.Workers;

/// <summary>How a process that the tool started has ended.</summary>
/// <param name="Code">The exit code as a shell gives it: 128 and more for signals.</param>
internal readonly record struct WorkerExit(int Code)
{
    private const int SignalBase = 128;
    private const int BusError = 7;
    private const int Kill = 9;
    private const int SegmentationFault = 11;
    private const int Abort = 6;
    private const int Trap = 5;

    /// <summary>The signal that ended it; null when it ended by itself.</summary>
    public int? Signal => Code > SignalBase ? Code - SignalBase : null;

    /// <summary>Native code in it crashed.</summary>
    public bool IsCrash => Signal is SegmentationFault or Abort or Trap;

    /// <summary>Somebody killed it; mostly the kernel does, which had no memory left.</summary>
    public bool IsKill => Signal == Kill;

    /// <summary>A file that it had mapped was cut short, or could not be read.</summary>
    public bool IsBusError => Signal == BusError;

    /// <summary>The end by a signal.</summary>
    public static WorkerExit By(int signal) => new(SignalBase + signal);
}
