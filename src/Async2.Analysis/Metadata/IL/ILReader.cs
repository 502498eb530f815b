using System.Buffers.Binary;
using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.IL;

/// <summary>
/// Takes an IL body apart, instruction by instruction. Stops at the first byte that is not IL and says so in
/// <see cref="IsDamaged"/>. ECMA-335 III; the encoding has not changed since .NET 1.
/// </summary>
internal ref struct ILReader(ReadOnlySpan<byte> il)
{
    private readonly ReadOnlySpan<byte> _il = il;
    private int _at;

    public ILInstruction Current { get; private set; }

    /// <summary>Reading ended before the end of the body.</summary>
    public bool IsDamaged { get; private set; }

    public bool MoveNext()
    {
        if (IsDamaged || _at >= _il.Length) return false;
        var start = _at;
        if (!TryReadOpCode(out var opCode) || !TryReadOperand(OperandSize(opCode), out var operand)) return Damaged();
        if (opCode == ILOpCode.Switch)
        {
            // Unsigned: a table of 2^30 targets is damage, not a reason to count backwards.
            if ((ulong)operand > (ulong)(_il.Length - _at) / 4) return Damaged();
            _at += (int)operand * 4;
        }

        Current = new ILInstruction(start, _at, opCode, operand);
        return true;
    }

    /// <summary>Adds the offsets that the current instruction may jump to. They may lie outside of the body.</summary>
    public readonly void AddTargets(HashSet<int> targets)
    {
        if (Current.OpCode == ILOpCode.Switch)
        {
            for (var at = Current.End - (int)Current.Operand * 4; at < Current.End; at += 4)
                targets.Add(unchecked(Current.End + BinaryPrimitives.ReadInt32LittleEndian(_il[at..])));
        }
        else if (Current.OpCode.IsBranch()) targets.Add(unchecked(Current.End + (int)Current.Operand));
    }

    private bool Damaged()
    {
        IsDamaged = true;
        return false;
    }

    private bool TryReadOpCode(out ILOpCode opCode)
    {
        int code = _il[_at++];
        opCode = (ILOpCode)code;
        if (code != 0xFE) return true;
        if (_at >= _il.Length) return false;
        opCode = (ILOpCode)(0xFE00 | _il[_at++]);
        return true;
    }

    private bool TryReadOperand(int size, out long operand)
    {
        operand = 0;
        if (size < 0 || size > _il.Length - _at) return false;
        var bytes = _il.Slice(_at, size);
        operand = size switch
        {
            1 => (sbyte)bytes[0],
            2 => BinaryPrimitives.ReadInt16LittleEndian(bytes),
            4 => BinaryPrimitives.ReadInt32LittleEndian(bytes),
            8 => BinaryPrimitives.ReadInt64LittleEndian(bytes),
            _ => 0,
        };
        if (_il[_at - 1] == (byte)ILOpCode.Switch && size == 4) operand = (uint)operand;
        _at += size;
        return true;
    }

    /// <summary>Bytes behind the opcode; -1 for codes that do not exist.</summary>
    private static int OperandSize(ILOpCode opCode) => opCode switch
    {
        >= ILOpCode.Ldarg_s and <= ILOpCode.Stloc_s or ILOpCode.Ldc_i4_s => 1,
        >= ILOpCode.Br_s and <= ILOpCode.Blt_un_s or ILOpCode.Leave_s or ILOpCode.Unaligned => 1,
        ILOpCode.Ldc_i4 or ILOpCode.Ldc_r4 or ILOpCode.Leave or >= ILOpCode.Br and <= ILOpCode.Switch => 4,
        ILOpCode.Ldc_i8 or ILOpCode.Ldc_r8 => 8,
        ILOpCode.Jmp or ILOpCode.Call or ILOpCode.Calli or ILOpCode.Callvirt => 4,
        >= ILOpCode.Cpobj and <= ILOpCode.Newobj or ILOpCode.Castclass or ILOpCode.Isinst or ILOpCode.Unbox => 4,
        >= ILOpCode.Ldfld and <= ILOpCode.Stobj or ILOpCode.Box or ILOpCode.Newarr => 4,
        ILOpCode.Ldelema or ILOpCode.Ldelem or ILOpCode.Stelem or ILOpCode.Unbox_any => 4,
        ILOpCode.Refanyval or ILOpCode.Mkrefany or ILOpCode.Ldtoken => 4,
        ILOpCode.Ldftn or ILOpCode.Ldvirtftn or ILOpCode.Initobj or ILOpCode.Constrained or ILOpCode.Sizeof => 4,
        >= ILOpCode.Ldarg and <= ILOpCode.Stloc => 2,
        _ => Enum.IsDefined(opCode) ? 0 : -1,
    };
}
