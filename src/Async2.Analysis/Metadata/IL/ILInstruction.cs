using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.IL;

/// <summary>One IL instruction.</summary>
/// <param name="Offset">Of the first byte of the opcode.</param>
/// <param name="End">Offset of the next instruction; branch operands count from here.</param>
/// <param name="Operand">
/// Token, constant, variable number or branch distance; the number of targets for <c>switch</c>; 0 if there is none. Floating
/// point constants are their bits.
/// </param>
internal readonly record struct ILInstruction(int Offset, int End, ILOpCode OpCode, long Operand)
{
    public bool IsCall => OpCode is ILOpCode.Call or ILOpCode.Callvirt;

    public int Token => (int)Operand;
}
