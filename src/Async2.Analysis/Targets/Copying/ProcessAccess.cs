using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Analysis.Targets.Copying;

/// <summary>How a live process is held while it is read, and what has to be said about that.</summary>
/// <param name="Freeze">Holds it for the whole analysis; null when it runs.</param>
/// <param name="Copy">What is read instead; null when the process itself is.</param>
/// <param name="Problems">Where it is not held as was asked for.</param>
internal sealed record ProcessAccess(ProcessFreeze? Freeze, ProcessCopy? Copy, ImmutableArray<Problem> Problems) : IDisposable
{
    // A server that is gone for longer is an outage.
    private static readonly TimeSpan FullLimit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan BriefLimit = TimeSpan.FromSeconds(10);

    /// <summary>Stops or copies a process, or neither where that is not possible.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="mode">What was asked for.</param>
    /// <param name="budget">The most memory that a copy may take, in bytes.</param>
    /// <param name="told">Registers that a debugger which holds it told, by thread id.</param>
    /// <param name="limit">The longest that it is stopped; null for the usual.</param>
    /// <exception cref="IOException">The process is gone.</exception>
    /// <exception cref="InvalidOperationException">The process is gone.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static ProcessAccess Take(int pid, FreezeMode mode, ulong budget, IReadOnlyDictionary<uint, byte[]> told, TimeSpan? limit = null) => mode switch
    {
        _ when !OperatingSystem.IsLinux() => new(null, null, []),
        FreezeMode.None => Held(pid, budget, told) ?? Running(pid, [], budget),
        FreezeMode.Full => Full(pid, budget, told, limit, []),
        _ => Brief(pid, budget, told, limit),
    };

    public void Dispose()
    {
        Freeze?.Dispose();
        Copy?.Image.Dispose();
    }

    private static ProcessAccess Full(int pid, ulong budget, IReadOnlyDictionary<uint, byte[]> told, TimeSpan? limit, ImmutableArray<Problem> problems)
        => RuntimeAwareStop.Of(pid, limit ?? FullLimit, out _) is { } freeze ? new(freeze, null, problems) : Unfrozen(pid, budget, told);

    private static ProcessAccess Brief(int pid, ulong budget, IReadOnlyDictionary<uint, byte[]> told, TimeSpan? limit)
    {
        ProcessCapture? capture = ProcessCapture.TryPrepare(pid, budget);
        if (capture is null)
            return Full(pid, budget, told, limit, [TooBig(pid, budget)]);
        ProcessFreeze? freeze = RuntimeAwareStop.Of(pid, limit ?? BriefLimit, out TimeSpan before);
        if (freeze is null)
        {
            capture.Dispose();
            return Unfrozen(pid, budget, told);
        }
        return capture.Take(freeze) is { } copy ? new(null, copy with { StoppedFor = copy.StoppedFor + before }, []) : Running(pid, [TooSlow(pid, limit ?? BriefLimit)], budget);
    }

    private static ProcessAccess Unfrozen(int pid, ulong budget, IReadOnlyDictionary<uint, byte[]> told)
        => Held(pid, budget, told) ?? Running(pid, [CannotFreeze(pid)], budget);

    // A process that a debugger holds stands as still as one that we hold.
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

    // What both looks saw differently is kept twice: all of it at worst.
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
