using System.Reflection.Metadata;

namespace Async2.Analysis.Code.Metadata;

/// <summary>Which local variable an instruction touches; null when it touches none.</summary>
internal static class ILVariable
{
    public static int? Loads(ILInstruction i) => i.OpCode switch
    {
        >= ILOpCode.Ldloc_0 and <= ILOpCode.Ldloc_3 => i.OpCode - ILOpCode.Ldloc_0,
        ILOpCode.Ldloc_s => (byte)i.Operand,
        ILOpCode.Ldloc => (ushort)i.Operand,
        _ => null,
    };

    public static int? LoadsAddress(ILInstruction i) => i.OpCode switch
    {
        ILOpCode.Ldloca_s => (byte)i.Operand,
        ILOpCode.Ldloca => (ushort)i.Operand,
        _ => null,
    };

    public static int? Stores(ILInstruction i) => i.OpCode switch
    {
        >= ILOpCode.Stloc_0 and <= ILOpCode.Stloc_3 => i.OpCode - ILOpCode.Stloc_0,
        ILOpCode.Stloc_s => (byte)i.Operand,
        ILOpCode.Stloc => (ushort)i.Operand,
        _ => null,
    };
}
