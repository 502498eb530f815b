using Async2.Analysis.Targets.Runtimes;

namespace Async2.Dump.Workers;

/// <summary>How a process that the tool started has ended.</summary>
/// <param name="Code">The exit code as a shell reports it: 128 and more for signals. On Windows below 0 for an exception that nobody caught (NTSTATUS).</param>
internal readonly record struct WorkerExit(int Code)
{
    private const int SignalBase = 128;
    private const int BusError = 7;
    private const int Kill = 9;
    private const int SegmentationFault = 11;
    private const int Abort = 6;
    private const int Trap = 5;

    // STATUS_IN_PAGE_ERROR, and what .NET ends with after an exception of managed code: neither is a crash of native code.
    private const int InPageError = unchecked((int)0xc000_0006);
    private const int ManagedException = unchecked((int)0xe043_4352);

    /// <summary>The signal that ended it, on Windows the exception; null if it exited.</summary>
    public int? Signal => OperatingSystem.IsWindows() ? Code < 0 ? Code : null : Code > SignalBase ? Code - SignalBase : null;

    /// <summary>Native code in it crashed, or did not return.</summary>
    public bool IsCrash => OperatingSystem.IsWindows() ? Code < 0 && Code is not (InPageError or ManagedException) : Signal is SegmentationFault or Abort or Trap || Code == DacLoop.ExitCode;

    /// <summary>It was killed; mostly by the kernel, because memory ran out.</summary>
    public bool IsKill => Signal == Kill;

    /// <summary>A mapped file was truncated, or could not be read.</summary>
    public bool IsBusError => Signal is BusError or InPageError;

    /// <summary>Creates the result for a signal.</summary>
    public static WorkerExit By(int signal) => new(SignalBase + signal);
}
