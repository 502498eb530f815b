using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.IL;

/// <summary>Which IL of a method can run after which, within limits.</summary>
internal sealed class ILFlow
{
    private readonly Dictionary<int, int[]> _next = [];

    /// <param name="il">The body; empty if it is unreadable.</param>
    public ILFlow(ReadOnlySpan<byte> il)
    {
        var reader = new ILReader(il);
        var targets = new HashSet<int>();
        while (reader.MoveNext())
        {
            targets.Clear();
            reader.AddTargets(targets);
            ILInstruction instruction = reader.Current;
            if (!Leaves(instruction.OpCode))
                targets.Add(instruction.End);
            _next[instruction.Offset] = [.. targets];
        }
    }

    /// <summary>The IL is not known.</summary>
    public bool IsEmpty => _next.Count == 0;

    /// <summary>Offsets that run after one, on ways that stay where they may.</summary>
    /// <param name="from">Offset of an instruction; it is in the answer only if a loop leads back to it.</param>
    /// <param name="isInside">Where the ways may lead.</param>
    public HashSet<int> After(int from, Func<int, bool> isInside)
    {
        var seen = new HashSet<int>();
        var open = new Stack<int>();
        open.Push(from);
        while (open.TryPop(out int offset))
        {
            foreach (int next in _next.GetValueOrDefault(offset) ?? [])
            {
                if (isInside(next) && seen.Add(next))
                    open.Push(next);
            }
        }
        return seen;
    }

    private static bool Leaves(ILOpCode code)
        => code is ILOpCode.Br or ILOpCode.Br_s or ILOpCode.Leave or ILOpCode.Leave_s or ILOpCode.Ret or ILOpCode.Throw or ILOpCode.Rethrow or ILOpCode.Jmp;
}
