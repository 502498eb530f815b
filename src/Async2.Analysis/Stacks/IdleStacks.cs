using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Stacks.Frames;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Tells loops of a framework that wait for work from stacks that wait for something. The innermost frames decide; where a loop
/// looks the same with and without a request, its object is asked.
/// </summary>
/// <param name="table">The frames.</param>
/// <param name="isZero">Whether a field of the object whose method a state machine is, is 0.</param>
internal sealed class IdleStacks(FrameTable table, Func<ulong, string, bool> isZero)
{
    private readonly Dictionary<((ulong A, ulong B, int Length) Shape, string? Awaited), (IdleLoop? Loop, int Frame)> _loops = [];

    /// <summary>Name of the idle loop that a stack is; null when it is none.</summary>
    public string? NameOf(StackDraft draft)
    {
        if (draft.State != StackState.Awaiting || draft.WaitingOn?.Type is not { } awaited)
            return null;
        if (!_loops.TryGetValue((draft.Shape, awaited), out (IdleLoop? Loop, int Frame) found))
            _loops[(draft.Shape, awaited)] = found = Find(draft, awaited);
        if (found.Loop is not { } loop)
            return null;
        return loop.ZeroWhenIdle is not { } field || isZero(draft.Innermost[found.Frame].Address, field) ? loop.Name : null;
    }

    private (IdleLoop? Loop, int Frame) Find(StackDraft draft, string awaited)
    {
        bool isInCalls = false;
        for (int i = 0; i < draft.Innermost.Count; i++)
        {
            FrameEntry entry = table[draft.Innermost[i].Id];
            if (entry.Origin == FrameOrigin.User)
                break;
            if (entry.Origin == FrameOrigin.Runtime)
                continue;
            IdleLoop? loop = IdleLoops.Of(entry.Frame.Type, entry.Frame.Name, awaited);
            if (loop is not null && (!isInCalls || loop.IsIdleInCalls))
                return (loop, i);
            isInCalls = true;
        }
        return (null, 0);
    }
}
