using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>
/// Says what a small native function would return, without running it: some twenty kinds of instructions are followed, memory is only
/// read, and whatever else is met ends it without an answer. For functions that look up one number.
/// </summary>
internal sealed class X64Function
{
    private const int MostInstructions = 64;
    private const int BytesOfInstruction = 15;
    private const ulong Narrow = uint.MaxValue;

    // Where the return address would lie: no function may return to it by chance.
    private const ulong ReturnAddress = ulong.MaxValue;

    // System V: the first two arguments.
    private static readonly Register[] Arguments = [Register.RDI, Register.RSI, Register.RDX];

    private readonly Func<ulong, int, ulong?> _read;
    private readonly Dictionary<Register, ulong> _registers = [];
    private readonly Stack<ulong> _stack = new([ReturnAddress]);
    private readonly List<X64Load> _loads = [];
    private (long Left, long Right) _compared;

    private X64Function(Func<ulong, int, ulong?> read) => _read = read;

    /// <summary>Follows a function to its return.</summary>
    /// <param name="address">Its first instruction.</param>
    /// <param name="read">Reads a number of some bytes, as unsigned; null if it cannot be read.</param>
    /// <param name="arguments">Three at most.</param>
    /// <returns>What was read from memory on the way, in order; null if an instruction is not understood, or there are too many.</returns>
    public static IReadOnlyList<X64Load>? Loads(ulong address, Func<ulong, int, ulong?> read, ReadOnlySpan<ulong> arguments)
    {
        var function = new X64Function(read);
        for (int i = 0; i < arguments.Length; i++)
            function._registers[Arguments[i]] = arguments[i];
        return function.Run(address) ? function._loads : null;
    }

    private bool Run(ulong address)
    {
        byte[] bytes = new byte[BytesOfInstruction + 1];
        for (int i = 0; i < MostInstructions; i++)
        {
            for (int offset = 0; offset < bytes.Length; offset += sizeof(ulong))
            {
                if (_read(address + (ulong)offset, sizeof(ulong)) is not { } word)
                    return false;
                BitConverter.TryWriteBytes(bytes.AsSpan(offset), word);
            }
            var decoder = Decoder.Create(64, bytes, address);
            decoder.Decode(out Instruction instruction);
            if (Step(instruction) is not { } next)
                return false;
            if (next == ReturnAddress)
                return true;
            address = next;
        }
        return false;
    }

    // The address of the next instruction.
    private ulong? Step(in Instruction instruction) => instruction.Mnemonic switch
    {
        Mnemonic.Ret => _stack.TryPop(out ulong back) ? back : null,
        Mnemonic.Jmp => instruction.Op0Kind == OpKind.NearBranch64 ? instruction.NearBranchTarget : Operand(instruction, 0),
        Mnemonic.Je => Jump(instruction, _compared.Left == _compared.Right),
        Mnemonic.Jne => Jump(instruction, _compared.Left != _compared.Right),
        Mnemonic.Jg => Jump(instruction, _compared.Left > _compared.Right),
        Mnemonic.Jge => Jump(instruction, _compared.Left >= _compared.Right),
        Mnemonic.Jl => Jump(instruction, _compared.Left < _compared.Right),
        Mnemonic.Jle => Jump(instruction, _compared.Left <= _compared.Right),
        _ => Compute(instruction) ? instruction.NextIP : null,
    };

    private static ulong Jump(in Instruction instruction, bool isTaken) => isTaken ? instruction.NearBranchTarget : instruction.NextIP;

    private bool Compute(in Instruction instruction)
    {
        switch (instruction.Mnemonic)
        {
            case Mnemonic.Nop or Mnemonic.Endbr64:
                return true;
            case Mnemonic.Push:
                return Operand(instruction, 0) is { } pushed && Push(pushed);
            case Mnemonic.Pop:
                return _stack.TryPop(out ulong popped) && Set(instruction, popped);
            case Mnemonic.Mov or Mnemonic.Movzx:
                return Operand(instruction, 1) is { } moved && Set(instruction, moved);
            case Mnemonic.Movsxd:
                return Operand(instruction, 1) is { } widened && Set(instruction, (ulong)(int)widened);
            case Mnemonic.Lea:
                return AddressIn(instruction) is { } place && Set(instruction, place);
            case Mnemonic.Xor when instruction.Op0Kind == OpKind.Register && instruction.Op1Kind == OpKind.Register && instruction.Op0Register == instruction.Op1Register:
                return Set(instruction, 0);
            case Mnemonic.Add:
                return Operand(instruction, 0) is { } one && Operand(instruction, 1) is { } other && Set(instruction, one + other);
            case Mnemonic.Imul when instruction.OpCount == 3:
                return Operand(instruction, 1) is { } factor && Set(instruction, factor * instruction.GetImmediate(2));
            case Mnemonic.Shl:
                return Operand(instruction, 0) is { } shifted && Set(instruction, shifted << (int)(instruction.GetImmediate(1) & 63));
            case Mnemonic.Cmp:
                return Compare(instruction, isAnd: false);
            case Mnemonic.Test:
                return Compare(instruction, isAnd: true);
            case Mnemonic.Sete:
                return Set(instruction, _compared.Left == _compared.Right ? 1u : 0);
            case Mnemonic.Setne:
                return Set(instruction, _compared.Left != _compared.Right ? 1u : 0);
            default:
                return false;
        }
    }

    private bool Push(ulong value)
    {
        _stack.Push(value);
        return true;
    }

    private bool Compare(in Instruction instruction, bool isAnd)
    {
        if (Operand(instruction, 0) is not { } left || Operand(instruction, 1) is not { } right)
            return false;
        bool isNarrow = SizeOf(instruction, 0) == sizeof(uint);
        (long one, long other) = isNarrow ? ((int)left, (int)right) : ((long)left, (long)right);
        _compared = isAnd ? (one & other, 0) : (one, other);
        return true;
    }

    private bool Set(in Instruction instruction, ulong value)
    {
        if (instruction.Op0Kind != OpKind.Register)
            return false;
        // A write to the lower half clears the upper one; a byte stands alone here.
        _registers[instruction.Op0Register.GetFullRegister()] = SizeOf(instruction, 0) switch { 4 => value & Narrow, 1 => value & byte.MaxValue, _ => value };
        return true;
    }

    private static int SizeOf(in Instruction instruction, int operand)
        => instruction.GetOpKind(operand) == OpKind.Memory ? instruction.MemorySize.GetSize() : instruction.GetOpRegister(operand).GetSize();

    private ulong? Operand(in Instruction instruction, int operand)
    {
        OpKind kind = instruction.GetOpKind(operand);
        if (kind == OpKind.Register)
        {
            Register register = instruction.GetOpRegister(operand);
            // What nobody has set is of no matter: it is only saved.
            ulong value = _registers.GetValueOrDefault(register.GetFullRegister());
            return register.GetSize() == sizeof(uint) ? value & Narrow : value;
        }
        if (X64Moves.IsImmediate(kind))
            return instruction.GetImmediate(operand);
        if (kind != OpKind.Memory || AddressIn(instruction) is not { } address || _read(address, instruction.MemorySize.GetSize()) is not { } found)
            return null;
        _loads.Add(new(address, found));
        return found;
    }

    private ulong? AddressIn(in Instruction instruction)
    {
        if (instruction.IsIPRelativeMemoryOperand)
            return instruction.IPRelativeMemoryAddress;
        if (instruction.SegmentPrefix != Register.None)
            return null;
        ulong address = instruction.MemoryDisplacement64;
        if (instruction.MemoryBase != Register.None)
            address += _registers.GetValueOrDefault(instruction.MemoryBase.GetFullRegister());
        if (instruction.MemoryIndex != Register.None)
            address += _registers.GetValueOrDefault(instruction.MemoryIndex.GetFullRegister()) * (ulong)instruction.MemoryIndexScale;
        return address;
    }
}

/// <summary>A number that a function reads.</summary>
/// <param name="Address">Where it stands.</param>
/// <param name="Value">What it is.</param>
internal readonly record struct X64Load(ulong Address, ulong Value);
