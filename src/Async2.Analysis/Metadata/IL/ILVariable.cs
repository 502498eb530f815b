using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.IL;

/// <summary>Which local variable an instruction touches, null if it touches none, and which constant it pushes.</summary>
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

    /// <summary>The argument, counted with <c>this</c>, that an instruction reads or takes the address of.</summary>
    public static int? LoadsArgument(ILInstruction i) => i.OpCode switch
    {
        >= ILOpCode.Ldarg_0 and <= ILOpCode.Ldarg_3 => i.OpCode - ILOpCode.Ldarg_0,
        ILOpCode.Ldarg_s or ILOpCode.Ldarga_s => (byte)i.Operand,
        ILOpCode.Ldarg or ILOpCode.Ldarga => (ushort)i.Operand,
        _ => null,
    };

    public static int? StoresArgument(ILInstruction i) => i.OpCode switch
    {
        ILOpCode.Starg_s => (byte)i.Operand,
        ILOpCode.Starg => (ushort)i.Operand,
        _ => null,
    };

    /// <summary>
    /// The local to which a method of a struct copies <c>this</c> at its beginning: <c>ldarg.0; ldobj; stloc</c>. A runtime-async one
    /// works on a copy, because a reference to a struct cannot outlive a suspension.
    /// </summary>
    public static int? CopyOfThis(ReadOnlySpan<byte> il)
    {
        var reader = new ILReader(il);
        return reader.MoveNext() && reader.Current.OpCode == ILOpCode.Ldarg_0 && reader.MoveNext() && reader.Current.OpCode == ILOpCode.Ldobj
            && reader.MoveNext() ? Stores(reader.Current) : null;
    }

    public static int? Stores(ILInstruction i) => i.OpCode switch
    {
        >= ILOpCode.Stloc_0 and <= ILOpCode.Stloc_3 => i.OpCode - ILOpCode.Stloc_0,
        ILOpCode.Stloc_s => (byte)i.Operand,
        ILOpCode.Stloc => (ushort)i.Operand,
        _ => null,
    };

    /// <summary>The small integer that an instruction pushes; null if it pushes none.</summary>
    public static int? Constant(ILInstruction i) => i.OpCode switch
    {
        >= ILOpCode.Ldc_i4_m1 and <= ILOpCode.Ldc_i4_8 => (int)i.OpCode - (int)ILOpCode.Ldc_i4_0,
        ILOpCode.Ldc_i4_s or ILOpCode.Ldc_i4 => (int)i.Operand,
        _ => null,
    };
}
