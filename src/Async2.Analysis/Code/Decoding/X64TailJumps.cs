using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>Finds jumps out of a native body: calls whose caller has nothing left to do (RyuJIT 10.0.12, "fast tail call").</summary>
internal static class X64TailJumps
{
    /// <summary>Whether there is one. A jump through a register may be one, or lead to a switch case: it does not count.</summary>
    public static bool In(byte[] code, ulong address)
    {
        ulong end = address + (ulong)code.Length;
        var decoder = Decoder.Create(64, new ByteArrayCodeReader(code), address);
        while (decoder.IP < end)
        {
            Instruction instruction = decoder.Decode();
            if (instruction.FlowControl == FlowControl.UnconditionalBranch && (instruction.NearBranchTarget < address || instruction.NearBranchTarget >= end))
                return true;
            if (instruction.FlowControl == FlowControl.IndirectBranch && instruction.Op0Kind == OpKind.Memory && instruction.IsIPRelativeMemoryOperand)
                return true;
        }
        return false;
    }
}
