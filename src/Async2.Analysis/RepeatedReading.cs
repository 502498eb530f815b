using System.Collections.Immutable;
using System.Diagnostics;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Runtimes;

namespace Async2.Analysis;

/// <summary>
/// Reads a live process again when the first answer is short for a reason that passes: it was stopped while its runtime changed what is
/// read. A moment later, and at last while it is stopped for the whole analysis, if that is short. What was done is said (A2D3016).
/// </summary>
public static class RepeatedReading
{
    private const int Attempts = 4;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(30);

    // What people do not notice, and a server's clients neither.
    private static readonly TimeSpan ShortStop = TimeSpan.FromSeconds(1);

    private static readonly string[] Passing =
    [
        ProblemCodes.UnreadableMemory, ProblemCodes.CyclicChain, ProblemCodes.UnexpectedObject, ProblemCodes.HeapIncomplete, ProblemCodes.MethodUnknown,
        ProblemCodes.NativeCallerUnknown, ProblemCodes.OperationUnknown,
    ];

    /// <summary>Opens and analyzes, as often as it takes.</summary>
    /// <param name="open">Opens the target, in the way that it is told.</param>
    /// <param name="options">How to open it at first.</param>
    /// <param name="analyze">Analyzes it.</param>
    /// <param name="snapshotOf">The snapshot in an answer.</param>
    /// <param name="cancellation">When set, there is no other attempt.</param>
    /// <returns>The target of the last attempt, open, and what was found.</returns>
    /// <exception cref="TargetException">It could not be read, the last time neither.</exception>
    public static Reading<TAnswer> Read<TAnswer>(
        Func<TargetOptions, Target> open, TargetOptions options, Func<Target, TAnswer> analyze, Func<TAnswer, StackView> snapshotOf, CancellationToken cancellation)
    {
        (int attempt, string? why) = DacCrash.Before();
        ImmutableArray<Problem> before = [];
        TimeSpan took = default;
        for (attempt++; ; attempt++)
        {
            bool isLast = attempt >= Attempts || cancellation.IsCancellationRequested;
            TargetOptions now = attempt >= Attempts && options.Freeze == FreezeMode.Brief && took < ShortStop ? options with { Freeze = FreezeMode.Full } : options;
            long start = Stopwatch.GetTimestamp();
            Target? target = null;
            try
            {
                target = open(now);
                TAnswer answer = analyze(target);
                StackView snapshot = snapshotOf(answer);
                if (isLast || !MayBeBetter(target, snapshot, before))
                    return new(target, answer, attempt == 1 || target.Origin is { Copy: null, Freeze: null } ? null : ReadAgainProblem(attempt, why, now.Freeze));
                (before, why) = (snapshot.Problems, snapshot.Problems.First(IsPassing).Text);
            }
            catch (TargetException e) when (e.MayPass && !isLast)
            {
                why = e.Message;
            }
            target?.Dispose();
            took = Stopwatch.GetElapsedTime(start);
            Thread.Sleep(Pause * attempt);
        }
    }

    private static bool MayBeBetter(Target target, StackView snapshot, ImmutableArray<Problem> before)
        => target.Origin is { Copy: { IsHeld: false, StoppedFor: not null } } or { Freeze: not null } && snapshot.Problems.Any(IsPassing)
            && snapshot.Problems.All(p => p.Code != ProblemCodes.StopTimeLimit)
            && !(before.Length == snapshot.Problems.Length && before.SequenceEqual(snapshot.Problems));

    private static bool IsPassing(Problem problem) => Passing.Contains(problem.Code);

    private static Problem ReadAgainProblem(int attempt, string? why, FreezeMode mode) => new(
        ProblemCodes.ReadAgain,
        FormattableString.Invariant($"the process was read {attempt} times{(mode == FreezeMode.Full ? ", in the last attempt while it was stopped (--freeze full)" : "")}, because of the previous attempt: {why?.TrimEnd('.')}"));
}

/// <summary>What came of reading a target.</summary>
/// <param name="Target">Open.</param>
/// <param name="Answer">What was found.</param>
/// <param name="Again">Says that it was read more than once; null if it was not.</param>
public readonly record struct Reading<TAnswer>(Target Target, TAnswer Answer, Problem? Again)
{
    /// <summary>A snapshot of this reading, with what is said about it.</summary>
    public StackView With(StackView snapshot) => Again is null ? snapshot : snapshot with { Problems = snapshot.Problems.Add(Again) };
}
