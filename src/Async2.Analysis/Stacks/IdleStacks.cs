using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Distinguishes loops of a framework that wait for work from stacks that wait for something. The innermost frames decide; if a loop
/// looks the same with and without a request, a field of its object decides.
/// </summary>
/// <param name="index">The operations.</param>
/// <param name="table">The frames.</param>
/// <param name="chains">The operations' chains.</param>
/// <param name="source">Reads fields.</param>
internal sealed class IdleStacks(HeapIndex index, FrameTable table, ChainReader chains, IStackSource source)
{
    // No loop of a framework is deeper.
    private const int InnermostLimit = 12;

    private readonly Dictionary<(int Shape, string Awaited), (IdleLoop? Loop, int Frame)> _loops = [];
    private (int Shape, string? Awaited, IdleLoop? Loop, int Frame) _last;

    /// <summary>Name of the idle loop that a stack is; null if it is none.</summary>
    public string? NameOf(StackDraft draft, int shape, StackShape frames)
    {
        if (draft.State != StackState.Awaiting || draft.WaitingOn?.Type is not { } awaited)
            return null;
        // Most stacks are equal to the stack before.
        if (_last.Shape != shape || !ReferenceEquals(_last.Awaited, awaited))
        {
            if (!_loops.TryGetValue((shape, awaited), out (IdleLoop? Loop, int Frame) found))
                _loops[(shape, awaited)] = found = Find(frames, awaited);
            _last = (shape, awaited, found.Loop, found.Frame);
        }
        if (_last.Loop is not { } loop)
            return null;
        return loop.ZeroWhenIdle is not { } field || source.IsZeroInOwner(ObjectOf(draft, frames, _last.Frame), field) ? loop.Name : null;
    }

    private (IdleLoop? Loop, int Frame) Find(StackShape frames, string awaited)
    {
        bool isInCalls = false;
        for (int i = 0, seen = 0; i < frames.Places.Length && seen < InnermostLimit; i++)
        {
            FrameEntry entry = table[frames.Places[i]];
            if (entry.Origin == FrameOrigin.User)
                break;
            if (entry.Origin == FrameOrigin.Runtime)
                continue;
            seen++;
            IdleLoop? loop = IdleLoops.Of(entry.Frame.Type, entry.Frame.Name, awaited);
            if (loop is not null && (!isInCalls || loop.IsIdleInCalls))
                return (loop, i);
            isInCalls = true;
        }
        return (null, 0);
    }

    // The object behind a frame; 0 for none.
    private ulong ObjectOf(StackDraft draft, StackShape frames, int frame)
    {
        int part = 0, start = 0;
        for (; frames.Parts[part].End <= frame; part++)
            start = frames.Parts[part].End;
        int node = draft.Parts[part].Node;
        if (frames.Forms[frame] == FrameForm.Object)
            return index.Nodes[node].Address;
        if (frames.Forms[frame] != FrameForm.InChain)
            return 0;
        int current = chains.Of(node).Head;
        for (int skip = frames.Parts[part].Skip; skip > 0; skip--)
            current = index.Frames.Next(current);
        for (int i = start; i < frame; i++)
            current = frames.Forms[i] == FrameForm.InChain ? index.Frames.Next(current) : current;
        return index.Frames.AddressOf(current);
    }
}
