using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Runtimes;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Analysis.Targets.Copying;

/// <summary>How a live process is stopped while it is read, and the resulting problems.</summary>
/// <param name="Freeze">Holds it for the whole analysis; null if it runs.</param>
/// <param name="Copy">The copy to read instead; null if the process itself is read.</param>
/// <param name="Problems">Problems if it is not stopped as requested.</param>
internal sealed record ProcessAccess(ProcessFreeze? Freeze, ProcessCopy? Copy, ImmutableArray<Problem> Problems) : IDisposable
{
    // A server that is stopped for longer is an outage.
    private static readonly TimeSpan FullLimit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan BriefLimit = TimeSpan.FromSeconds(10);

    // Megabytes that take a process some 30 ms to be copied.
    private const ulong BigFrom = 128;

    /// <summary>Nothing was done yet: of a process of this size not everything is copied, and only the analysis knows what is needed.</summary>
    public bool IsToBeCopied { get; private init; }

    /// <summary>Processes of this system are stopped, copied and read by this library. Elsewhere ClrMD does it.</summary>
    public static bool IsOurs => OperatingSystem.IsLinux() || OperatingSystem.IsWindows();

    /// <summary>Stops or copies a process, or neither if that is not possible.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="mode">The requested mode.</param>
    /// <param name="budget">The maximum memory for a copy, in bytes.</param>
    /// <param name="told">Registers from a debugger that holds it, by thread id.</param>
    /// <param name="limit">The maximum time that it is stopped; null for the default.</param>
    /// <exception cref="IOException">The process has ended.</exception>
    /// <exception cref="InvalidOperationException">The process has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static ProcessAccess Take(int pid, FreezeMode mode, ulong budget, IReadOnlyDictionary<uint, byte[]> told, TimeSpan? limit = null) => mode switch
    {
        _ when !IsOurs => new(null, null, []),
        FreezeMode.None => Unstopped(pid, budget, told, []),
        FreezeMode.Full => Full(pid, budget, told, limit, []),
        FreezeMode.Parts when OperatingSystem.IsLinux() && !DacCrash.HasHappened => Live,
        FreezeMode.Brief when IsBig(pid) && told.Count == 0 => Live,
        _ => Brief(pid, budget, told, limit),
    };

    /// <summary>Stops a process until it is copied, with pages only of a part of its heap.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="budget">The maximum memory for a copy, in bytes.</param>
    /// <param name="old">That part.</param>
    /// <param name="clock">Says whether it still is what it was.</param>
    /// <param name="limit">The maximum time that it is stopped; null for the default.</param>
    /// <param name="inVain">How long it was stopped in vain.</param>
    /// <returns>Without a copy if it was stopped in vain, as the part was not what it had been any more; null if it cannot be stopped, or the copy would be too big.</returns>
    public static ProcessAccess? TakeParts(int pid, ulong budget, OldHeap old, CollectionClock clock, TimeSpan? limit, out TimeSpan inVain)
    {
        (TimeSpan lost, inVain) = (default, default);
        if (ProcessCapture.TryPrepare(pid, budget, old) is not { } capture)
            return null;
        ProcessAccess? access = UrgentWork.Do(() =>
        {
            capture.Gather();
            if (RuntimeAwareStop.Of(pid, limit ?? BriefLimit, out lost) is not { } freeze)
                return null;
            if (old.IsAsOf(clock.Now))
                return capture.Take(freeze) is { } copy ? new(null, copy, []) : null;
            freeze.Dispose();
            lost += freeze.StoppedFor;
            return Live;
        });
        inVain = lost;
        if (access?.Copy is null)
            capture.Dispose();
        return access;
    }

    /// <summary>A process that runs and is read in place: what is read is of different moments.</summary>
    public static ProcessAccess Live => new(null, null, []) { IsToBeCopied = true };

    private static bool IsBig(int pid)
        => OperatingSystem.IsLinux() && Environment.SystemPageSize == (int)PageMap.PageSize && !DacCrash.HasHappened
            && ProcFiles.Status(pid, "RssAnon") is { } text && ulong.TryParse(text.Split(' ')[0], NumberStyles.None, CultureInfo.InvariantCulture, out ulong kilobytes) && kilobytes >> 10 >= BigFrom;

    public void Dispose()
    {
        Freeze?.Dispose();
        Copy?.Image.Dispose();
    }

    private static ProcessAccess Full(int pid, ulong budget, IReadOnlyDictionary<uint, byte[]> told, TimeSpan? limit, ImmutableArray<Problem> problems)
        => UrgentWork.Do(() => RuntimeAwareStop.Of(pid, limit ?? FullLimit, out _)) is { } freeze ? new(freeze, null, problems) : Unfrozen(pid, budget, told);

    private static ProcessAccess Brief(int pid, ulong budget, IReadOnlyDictionary<uint, byte[]> told, TimeSpan? limit)
    {
        ProcessCapture? capture = ProcessCapture.TryPrepare(pid, budget);
        if (capture is null)
            return Full(pid, budget, told, limit, [TooBig(pid, budget)]);
        bool isHeld = false;
        ProcessCopy? copy = UrgentWork.Do(() =>
        {
            capture.Gather();
            if (RuntimeAwareStop.Of(pid, limit ?? BriefLimit, out TimeSpan before) is not { } freeze)
                return null;
            isHeld = true;
            return capture.Take(freeze) is { } taken ? taken with { StoppedFor = taken.StoppedFor + before } : null;
        });
        if (copy is not null)
            return new(null, copy, []);
        if (isHeld)
            return UrgentWork.Do(() => Running(pid, [TooSlow(pid, limit ?? BriefLimit)], budget));
        capture.Dispose();
        return Unfrozen(pid, budget, told);
    }

    private static ProcessAccess Unfrozen(int pid, ulong budget, IReadOnlyDictionary<uint, byte[]> told) => Unstopped(pid, budget, told, [CannotFreeze(pid)]);

    // The shorter it takes, the less has changed meanwhile.
    private static ProcessAccess Unstopped(int pid, ulong budget, IReadOnlyDictionary<uint, byte[]> told, ImmutableArray<Problem> problems)
        => UrgentWork.Do(() => Held(pid, budget, told) ?? Running(pid, problems, budget));

    // A process held by a debugger is as consistent as one that we stopped.
    private static ProcessAccess? Held(int pid, ulong budget, IReadOnlyDictionary<uint, byte[]> told)
    {
        if (TracedThreads.Of(pid, told) is null || ProcessCapture.TryPrepare(pid, budget) is not { } capture)
            return null;
        try
        {
            if (capture.TryTakeHeld(told, out int unknown) is { } copy)
                return new(null, copy, unknown > 0 ? [WithoutRegisters(pid, unknown)] : []);
        }
        catch
        {
            capture.Dispose();
            throw;
        }
        capture.Dispose();
        return null;
    }

    // Differences between both copies are kept twice: in the worst case everything.
    private static ProcessAccess Running(int pid, ImmutableArray<Problem> problems, ulong budget)
        => new(null, ProcessCapture.TryPrepare(pid, budget / 2)?.TakeRunning(), problems);

    private static Problem CannotFreeze(int pid) => new(
        ProblemCodes.NotFrozen,
        FormattableString.Invariant($"process {pid} could not be stopped ({AccessDenial.Of(pid).Why}): it was read while it ran, as with --freeze none"));

    private static Problem WithoutRegisters(int pid, int threads) => new(
        ProblemCodes.RegistersUnknown,
        FormattableString.Invariant($"of process {pid}, which a debugger holds, {threads} {(threads == 1 ? "thread was" : "threads were")} running when it was stopped: only the debugger knows their registers, so what they run is shown as it was when it was last suspended"));

    private static Problem TooBig(int pid, ulong budget) => new(
        ProblemCodes.StoppedThroughout,
        FormattableString.Invariant($"process {pid} has more memory than the {budget >> 20:N0} MB that a copy may take here (half of what is free), so it was stopped for the whole analysis, as with --freeze full"));

    private static Problem TooSlow(int pid, TimeSpan limit) => new(
        ProblemCodes.StopTimeLimit,
        FormattableString.Invariant($"process {pid} could not be copied within {limit.TotalSeconds:0.##} s: it was released, and read while it ran, as with --freeze none"));
}
