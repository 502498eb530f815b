using Async2.Analysis.Layouts;

namespace Async2.Analysis.Threads;

/// <summary>Says in which of its innermost frames a thread blocks, and for which task.</summary>
internal sealed class BlockedFrames(PendingTasks? tasks, TaskHandles? handles)
{
    // Roslyn's name for the method that calls an async Main.
    private const string EntryPoint = "<Main>";

    // System.Console and System.ConsolePal (System.Console 10.0.12).
    private const string ConsoleTypes = "System.Console";

    // Console.In opens standard input when it is first asked for.
    private const string OpensConsole = "get_In";

    /// <summary>The segment with what it blocks in; the same when it does not block.</summary>
    /// <param name="segment">The innermost of a thread.</param>
    /// <param name="frames">Its frames.</param>
    /// <param name="roots">Objects that they hold.</param>
    public ThreadSegment Of(ThreadSegment segment, List<WalkedFrame> frames, ThreadRoots roots)
    {
        int caller = CallerOf(frames);
        List<WalkedFrame> inner = frames.GetRange(0, caller);
        int blocking = inner.FindIndex(f => f.Role is FrameRole.Blocks or FrameRole.WaitsForTask or FrameRole.WaitsForTasks || IsInSystem(f, inner[0]));
        if (blocking < 0)
            return frames is [{ IsInSystem: true }, ..] ? InSystem(segment, frames, inner, roots) : segment;
        WalkedFrame via = inner.FindLast(f => IsKnown(f, inner[0]))!;
        ulong task = TaskOf(inner, frames.GetRange(0, Math.Min(caller + 1, frames.Count)), via, roots);
        bool isEntryPoint = frames.Any(f => f.IsUser) && frames.Where(f => f.IsUser).All(f => f.Frame.Method.Facts?.RawName == EntryPoint);
        return segment with
        {
            // The compiler's entry point always waits for an async Main.
            BlockedOn = isEntryPoint ? 0 : task,
            IsEntryPoint = isEntryPoint,
            EntryTask = isEntryPoint ? task : 0,
            IsPlain = segment.IsPlain && (task == 0 || isEntryPoint),
            BlockedIn = inner[blocking].Frame.Method,
            BlockedBy = via.Frame.Method,
            BlockingCall = inner[^1].Frame.Method,
            Roots = [.. frames.Take(caller + 1).SelectMany(f => roots.Of(f.StackPointer)).Distinct()],
            // Framework frames between the wait and the user code are kept, folded: they say why the thread waits.
            Frames = [.. frames.Skip(inner.IndexOf(via) + 1).Where(f => f.Role == FrameRole.None).Select(f => f.WithRoots(roots))],
        };
    }

    // All frames stay: nothing says which of them would tell best what is waited for. The program may call native code itself.
    private static ThreadSegment InSystem(ThreadSegment segment, List<WalkedFrame> frames, List<WalkedFrame> inner, ThreadRoots roots) => segment with
    {
        IsInSystem = true,
        ReadsConsole = inner.Exists(f => f.Frame.Method.Facts is { } facts && facts.DeclaringType.FullName.StartsWith(ConsoleTypes, StringComparison.Ordinal)
            && (facts.RawName.StartsWith("Read", StringComparison.Ordinal) || facts.RawName.Contains(OpensConsole, StringComparison.Ordinal))),
        BlockedIn = frames[0].Frame.Method,
        BlockedBy = frames[0].Frame.Method,
        BlockingCall = inner is [.., var outermost] ? outermost.Frame.Method : frames[0].Frame.Method,
        Roots = [.. frames.Take(inner.Count + 1).SelectMany(f => roots.Of(f.StackPointer)).Distinct()],
    };

    // The frame that called the blocking framework method: user code, or a generated method into which user code was inlined.
    private static int CallerOf(List<WalkedFrame> frames)
    {
        int user = frames.FindIndex(f => f.IsUser);
        int other = frames.FindIndex(f => f.Role == FrameRole.None && !SaysMore(f));
        return user >= 0 ? user : other >= 0 ? other : frames.Count;
    }

    private static bool IsInSystem(WalkedFrame frame, WalkedFrame innermost)
        => frame.Role == FrameRole.BlocksInSystem && (innermost.IsInSystem || innermost.Frame.Method.Facts is { } facts && ResumptionMethods.IsSystemCall(facts.DeclaringType.FullName));

    private static bool IsKnown(WalkedFrame frame, WalkedFrame innermost)
        => frame.Role is FrameRole.Blocks or FrameRole.WaitsForTask or FrameRole.WaitsForTasks || IsInSystem(frame, innermost) || SaysMore(frame);

    // It blocks by what blocks inside of it.
    private static bool SaysMore(WalkedFrame frame) => KindOf(frame) is BlockingKind.BlockingCollection or BlockingKind.LockedDatabase;

    private static BlockingKind KindOf(WalkedFrame frame)
        => frame.Frame.Method.Facts is { } facts ? BlockingCalls.Of(facts.DeclaringType.FullName, facts.RawName) : BlockingKind.Unknown;

    private ulong TaskOf(List<WalkedFrame> inner, List<WalkedFrame> withCaller, WalkedFrame via, ThreadRoots roots)
    {
        if (tasks is null)
            return 0;
        // A frame that waits for several objects holds several of them.
        if (inner.Any(f => f.Role == FrameRole.WaitsForTasks))
            return inner.Where(f => f.Role == FrameRole.WaitsForTasks).SelectMany(f => roots.Of(f.StackPointer)).FirstOrDefault(tasks.IsCountdown);
        ulong task = inner.Where(f => f.Role == FrameRole.WaitsForTask).SelectMany(f => roots.Of(f.StackPointer)).FirstOrDefault(tasks.IsPending);
        return task == 0 && handles is not null && KindOf(via) == BlockingKind.WaitHandle ? handles.TaskOf([.. withCaller.SelectMany(f => roots.Of(f.StackPointer)).Distinct()]) : task;
    }
}
