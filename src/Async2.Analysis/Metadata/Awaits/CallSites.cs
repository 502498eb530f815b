using System.Reflection.Metadata;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Metadata.Awaits;

/// <summary>A call in IL.</summary>
/// <param name="ILOffset">Of the instruction.</param>
/// <param name="Callee">What it names; null for a function pointer, and where it cannot be read.</param>
internal sealed record CallSite(int ILOffset, CalleeRef? Callee);

/// <summary>The calls in the IL of any method.</summary>
internal static class CallSites
{
    /// <summary>In IL order, as far as the IL could be read.</summary>
    public static IReadOnlyList<CallSite> Find(CalleeCache callees, ReadOnlySpan<byte> il)
    {
        var found = new List<CallSite>();
        bool constrained = false;
        var reader = new ILReader(il);
        while (reader.MoveNext())
        {
            ILInstruction instruction = reader.Current;
            if (instruction.IsCall || instruction.OpCode == ILOpCode.Newobj)
                found.Add(new(instruction.Offset, callees.Get(instruction.Token, instruction.OpCode, constrained)));
            else if (instruction.OpCode == ILOpCode.Calli)
                found.Add(new(instruction.Offset, null));
            constrained = instruction.OpCode == ILOpCode.Constrained;
        }
        return found;
    }
}
