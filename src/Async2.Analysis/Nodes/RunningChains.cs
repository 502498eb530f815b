using Async2.Analysis.Code;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Nodes;

/// <summary>A chain that a thread executes at this moment.</summary>
/// <param name="ThreadId">Managed id of the thread.</param>
/// <param name="Continuation">The continuation that was resumed; 0 when it is not known. Those before it have returned.</param>
internal readonly record struct RunningChain(int ThreadId, ulong Continuation);

/// <summary>
/// Finds the chains that threads execute: their <c>ThunkTask.m_stateObject</c> still shows the last suspension, which is past.
/// The frame that drives a chain, <c>AsyncHelpers.ThunkTaskCore.MoveNext</c>, holds the task and the resumed continuation.
/// </summary>
internal static class RunningChains
{
    private const string DriverType = "System.Runtime.CompilerServices.AsyncHelpers+ThunkTaskCore";
    private const string DriverMethod = "MoveNext";

    public static Dictionary<ulong, RunningChain> Find(Target target, LoadedModules modules, HeapIndex index)
    {
        var running = new Dictionary<ulong, RunningChain>();
        // The stack of a thread that runs changes under the reader's hands.
        if (!target.Origin.IsStill)
            return running;
        foreach (ClrThread thread in target.Runtime.Threads.Where(t => t.IsAlive))
        {
            foreach (var frame in DriverRoots(thread, modules))
            {
                ulong task = frame.FirstOrDefault(root => index.FindTask(root) >= 0);
                if (task != 0)
                    running[task] = new(thread.ManagedThreadId, frame.FirstOrDefault(root => index.FindContinuation(root) >= 0));
            }
        }
        return running;
    }

    // Grouped by frame: one thread may drive several chains, one inside the other.
    private static SortedDictionary<ulong, List<ulong>>.ValueCollection DriverRoots(ClrThread thread, LoadedModules modules)
    {
        var frames = new SortedDictionary<ulong, List<ulong>>();
        foreach (ClrStackRoot root in thread.EnumerateStackRoots())
        {
            if (root.StackFrame is not { Method: { } method } frame || !IsDriver(modules.Describe(method)))
                continue;
            if (!frames.TryGetValue(frame.StackPointer, out List<ulong>? roots))
                frames[frame.StackPointer] = roots = [];
            roots.Add(root.Object.Address);
        }
        return frames.Values;
    }

    private static bool IsDriver(AsyncMethod? method)
        => method?.Facts is { RawName: DriverMethod } facts && facts.DeclaringType.Is(DriverType);
}
