using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Runtimes;
using Async2.Analysis.Threads;

namespace Async2.Analysis;

/// <summary>Says what of a target is not in the answer, and why: silence must not look like "nothing is wrong".</summary>
internal sealed class MissingStacks(Target target)
{
    private const int ThreadsNamed = 10;

    /// <summary>Every thread was seen, or the reader of the target already knows that some were not.</summary>
    public bool SawAll(IReadOnlyList<int> unseen) => unseen.Count == 0 || HasRegisters;

    // A debugger that does not know them has been told so already.
    private bool HasRegisters => target.Origin.Problems.Any(p => p.Code == ProblemCodes.RegistersUnknown);

    /// <summary>Says which threads could not be read.</summary>
    public void ReportUnseenThreads(IReadOnlyList<int> threads, ProblemLog problems)
    {
        if (SawAll(threads))
            return;
        if (DacCrash.LeavesThreadsOut)
        {
            problems.AddPartial(new(ProblemCodes.ThreadsLeftOut, FormattableString.Invariant(
                $"{DacCrash.Text("this target", null)}, so the stacks of its {threads.Count:N0} managed threads were left out, and the methods of delegates: what they run or block in is unknown, and who is called back")));
            return;
        }
        problems.Add(ProblemCodes.ThreadRegistersMissing, FormattableString.Invariant(
            $"the registers of {Named(threads)} are not in the target: their stacks are missing, and what they run or block in is unknown"));
    }

    /// <summary>Says of which threads only the innermost frames are known.</summary>
    public static void ReportPartlySeen(ThreadReader threads, ProblemLog problems)
    {
        if (threads.Cyclic.Count > 0)
            problems.AddPartial(new(ProblemCodes.StackInCycle,
                $"the stack of {Named(threads.Cyclic)} leads back to itself, so its memory is damaged: outer frames and all objects of {(threads.Cyclic.Count == 1 ? "its" : "their")} frames are missing"));
        if (threads.Cut.Count > 0)
            problems.AddPartial(new(ProblemCodes.StackTooDeep, $"the stack of {Named(threads.Cut)} has more than 100,000 frames: the outer ones are missing"));
    }

    /// <summary>Says of which threads managed frames are missing.</summary>
    public static void ReportInNative(ThreadReader threads, ProblemLog problems)
    {
        if (threads.InNative.Count > 0)
        {
            problems.AddPartial(new(ProblemCodes.NativeCallerUnknown,
                $"{Named(threads.InNative)} {(threads.InNative.Count == 1 ? "stands" : "stand")} in native code, or will return to it, and the managed caller could not be found: what runs there is missing, or shown where it waited last"));
        }
    }

    /// <summary>Says which threads run something that may be shown a second time, as it was when it waited last.</summary>
    public static void ReportUnplaced(ThreadReader threads, ProblemLog problems)
    {
        if (threads.Unplaced.Count > 0)
        {
            problems.AddPartial(new(ProblemCodes.OperationUnknown,
                $"{Named(threads.Unplaced)} {(threads.Unplaced.Count == 1 ? "runs" : "run")} async methods whose operation could not be found among the objects of the thread: it may be shown a second time, where it waited last"));
        }
    }

    private static string Named(IReadOnlyList<int> threads)
        => FormattableString.Invariant($"{threads.Count:N0} managed {(threads.Count == 1 ? "thread" : "threads")} ({string.Join(", ", threads.Take(ThreadsNamed))}{(threads.Count > ThreadsNamed ? ", and more" : "")})");

    /// <summary>Says why there may be no async method at all: a program was perhaps built or started in the wrong way.</summary>
    public static void ExplainNoStacks(HeapIndex index, IReadOnlyList<ThreadSegment> segments, ProblemLog problems)
    {
        // An async method that a thread runs need not have been suspended yet.
        if (!index.Complete || problems.IsPartial || !index.Nodes.IsEmpty || segments.Any(segment => !segment.IsPlain))
            return;
        problems.Add(ProblemCodes.NoRuntimeAsync,
            "no async method is suspended; if you expect runtime-async methods: was the program built with runtime-async and started with DOTNET_RuntimeAsync=1 on .NET 10 or later?");
    }
}
