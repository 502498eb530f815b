using Async2.Analysis.Layouts;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Tells loops of a framework that wait for work from stacks that wait for something. The innermost frames decide; where a loop
/// looks the same with and without a request, its object is asked.
/// </summary>
/// <param name="table">The frames.</param>
/// <param name="isZero">Whether a field of the object that an operation belongs to is 0.</param>
/// <param name="operationOf">Address of the operation of a node; 0 for none.</param>
internal sealed class IdleStacks(FrameTable table, Func<ulong, string, bool> isZero, Func<int, ulong> operationOf)
{
    private readonly Dictionary<((ulong A, ulong B, int Length) Shape, string? Awaited), IdleLoop?> _loops = [];

    /// <summary>Name of the idle loop that a stack is; null when it is none.</summary>
    public string? NameOf(StackDraft draft)
    {
        if (draft.State != StackState.Awaiting || draft.WaitingOn?.Type is not { } awaited)
            return null;
        if (!_loops.TryGetValue((draft.Shape, awaited), out IdleLoop? loop))
            _loops[(draft.Shape, awaited)] = loop = Find(draft, awaited);
        if (loop is null)
            return null;
        return loop.ZeroWhenIdle is not { } field || isZero(operationOf(draft.Parts[0].Node), field) ? loop.Name : null;
    }

    private IdleLoop? Find(StackDraft draft, string awaited)
    {
        int depth = 0;
        foreach (StackFrame frame in draft.Innermost)
        {
            FrameEntry entry = table[frame.Id];
            if (entry.Origin == FrameOrigin.User)
                return null;
            if (entry.Origin == FrameOrigin.Runtime)
                continue;
            IdleLoop? loop = IdleLoops.Of(entry.Frame.Type, entry.Frame.Name, awaited);
            if (loop is not null && (depth == 0 || loop.IsIdleInCalls))
                return loop;
            depth++;
        }
        return null;
    }
}
