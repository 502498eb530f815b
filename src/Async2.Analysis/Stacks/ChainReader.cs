using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Stacks;

/// <summary>Walks one chain of continuations, innermost first, and stops at anything that no honest chain does.</summary>
internal sealed class ChainReader(HeapIndex index, ProblemLog problems, TornChains? torn = null)
{
    /// <summary>Deeper than any stack that a program of today's memory can suspend; a bound all the same.</summary>
    private const int DepthLimit = 50_000_000;

    // Task whose chain a continuation belongs to, from 1. Without it a torn heap could make each task read the frames of all.
    private readonly int[] _owner = new int[index.Continuations.Length];

    private Problem? _damage;

    /// <summary>The chain that was read last changed meanwhile: no frame of it is shown.</summary>
    public bool IsTorn { get; private set; }

    /// <summary>Positions of the chain's frames in the index; empty when the head is no continuation.</summary>
    /// <param name="node">Position of the operation whose chain it is.</param>
    /// <param name="frames">Cleared and filled.</param>
    /// <returns>False when the chain is damaged: its frames end before its end.</returns>
    public bool Read(int node, List<int> frames)
    {
        _damage = null;
        bool isWhole = Walk(node, frames);
        IsTorn = torn is not null && !torn.IsWhole(index.Nodes[node].Address, frames.ConvertAll(f => index.Continuations[f].Address).ToArray(), isWhole);
        if (IsTorn)
            frames.Clear();
        else if (_damage is not null)
            problems.Add(_damage);
        return isWhole;
    }

    private bool Walk(int node, List<int> frames)
    {
        frames.Clear();
        ulong head = index.Nodes[node].Body;
        int current = index.FindContinuation(head);
        if (current < 0)
            return head == 0 || Report(ProblemCodes.UnexpectedObject, "a task's chain begins with something that is no continuation", head);
        // Brent's cycle detection: no set of visited frames, which would cost more than the frames.
        int checkpoint = current, steps = 0, limit = 1;
        while (index.Continuations[current].Resume != 0)
        {
            if (!Take(current, node))
                return Report(ProblemCodes.UnexpectedObject, "two tasks lead to one continuation; it is shown with the first", index.Continuations[current].Address);
            frames.Add(current);
            ulong next = index.Continuations[current].Next;
            if (next == 0)
                return true;
            current = index.FindContinuation(next, current);
            if (current < 0)
                return Report(ProblemCodes.UnreadableMemory, "a chain leads to a continuation that is not on the heap", next);
            if (current == checkpoint)
                return CutCycle(frames, current);
            if (++steps == limit)
            {
                checkpoint = current;
                limit *= 2;
                steps = 0;
            }
            if (frames.Count >= DepthLimit)
                return Report(ProblemCodes.ChainTooDeep, $"a chain was cut after {DepthLimit:N0} frames", next);
        }
        return true;
    }

    private bool Take(int continuation, int node)
    {
        ref int owner = ref _owner[continuation];
        if (owner == 0)
            owner = node + 1;
        return owner == node + 1;
    }

    private bool CutCycle(List<int> frames, int current)
    {
        // Keep each frame once: up to the first one that repeats.
        var seen = new HashSet<int>();
        int unique = frames.FindIndex(f => !seen.Add(f));
        if (unique >= 0)
            frames.RemoveRange(unique, frames.Count - unique);
        return Report(ProblemCodes.CyclicChain, "a chain of continuations comes back to itself; each frame is shown once", index.Continuations[current].Address);
    }

    private bool Report(string code, string text, ulong address)
    {
        _damage = new(code, text, address);
        return false;
    }
}
