using System.Collections.Immutable;

namespace Async2.Analysis.Targets;

/// <summary>How a live process is held while it is read, and what has to be said about that.</summary>
/// <param name="Freeze">Holds it for the whole analysis; null when it runs.</param>
/// <param name="Copy">What is read instead; null when the process itself is.</param>
/// <param name="Problems">Where it is not held as was asked for.</param>
internal sealed record ProcessHold(ProcessFreeze? Freeze, ProcessCopy? Copy, ImmutableArray<Problem> Problems) : IDisposable
{
    /// <summary>Stops or copies a process, or neither where that is not possible.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="mode">What was asked for.</param>
    /// <param name="budget">The most memory that a copy may take, in bytes.</param>
    /// <param name="told">Registers that a debugger which holds it told, by thread id.</param>
    /// <exception cref="IOException">The process is gone.</exception>
    /// <exception cref="InvalidOperationException">The process is gone.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static ProcessHold Take(int pid, FreezeMode mode, ulong budget, IReadOnlyDictionary<uint, byte[]> told) => mode switch
    {
        _ when !OperatingSystem.IsLinux() => new(null, null, []),
        FreezeMode.None => Held(pid, budget, told) ?? Running(pid, [], budget),
        FreezeMode.Full => ProcessFreeze.TryStop(pid) is { } freeze ? new(freeze, null, []) : Unfrozen(pid, budget, told),
        _ => Brief(pid, budget, told),
    };

    public void Dispose()
    {
        Freeze?.Dispose();
        Copy?.Image.Dispose();
    }

    private static ProcessHold Brief(int pid, ulong budget, IReadOnlyDictionary<uint, byte[]> told)
    {
        ProcessCapture? capture = ProcessCapture.TryPrepare(pid, budget);
        ProcessFreeze.Rehearse(pid);
        ProcessFreeze? freeze = ProcessFreeze.TryStop(pid);
        if (freeze is null)
        {
            capture?.Dispose();
            return Unfrozen(pid, budget, told);
        }
        return capture is null ? new(freeze, null, [TooBig(pid)]) : new(null, capture.Take(freeze), []);
    }

    private static ProcessHold Unfrozen(int pid, ulong budget, IReadOnlyDictionary<uint, byte[]> told)
        => Held(pid, budget, told) ?? Running(pid, [CannotFreeze(pid)], budget);

    // A process that a debugger holds stands as still as one that we hold.
    private static ProcessHold? Held(int pid, ulong budget, IReadOnlyDictionary<uint, byte[]> told)
    {
        if (HeldThreads.Of(pid, told) is null || ProcessCapture.TryPrepare(pid, budget) is not { } capture)
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
    private static ProcessHold Running(int pid, ImmutableArray<Problem> problems, ulong budget)
        => new(null, ProcessCapture.TryPrepare(pid, budget / 2)?.TakeRunning(), problems);

    private static Problem CannotFreeze(int pid) => new(
        ProblemCodes.NotFrozen,
        FormattableString.Invariant($"process {pid} could not be stopped ({ProcessAccess.Of(pid).Why}): it was read while it ran, as with --freeze none"));

    private static Problem WithoutRegisters(int pid, int threads) => new(
        ProblemCodes.RegistersUnknown,
        FormattableString.Invariant($"of process {pid}, which a debugger holds, {threads} {(threads == 1 ? "thread was" : "threads were")} running when it was stopped: only the debugger knows where, so what they run is shown as it was when it was suspended last"));

    private static Problem TooBig(int pid) => new(
        ProblemCodes.StoppedThroughout,
        $"process {pid} has more memory than can be copied here, so it was stopped for the whole analysis, as with --freeze full");
}
