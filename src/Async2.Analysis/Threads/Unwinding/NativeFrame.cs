using System.Buffers.Binary;
using Async2.Analysis.Targets.Elf;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>The registers of a frame of native code on x64, and the way to its caller.</summary>
internal sealed class NativeFrame
{
    // By the numbers of the System V ABI; the last one is the return address, which is the instruction pointer here. Their places in a CONTEXT (winnt.h).
    private static readonly int[] Places = [0x78, 0x88, 0x80, 0x90, 0xa8, 0xb0, 0xa0, 0x98, 0xb8, 0xc0, 0xc8, 0xd0, 0xd8, 0xe0, 0xe8, 0xf0, 0xf8];
    // rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15.
    private static readonly int[] Numbers = [0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15];
    private const int StackRegister = 7;
    private const int InstructionRegister = 16;

    private readonly ulong[] _registers;

    private NativeFrame(ulong[] registers, bool wasCalling) => (_registers, WasCalling) = (registers, wasCalling);

    /// <summary>What it executes; if it has called, what comes after the call.</summary>
    public ulong Instruction => _registers[InstructionRegister];

    /// <summary>Its stack pointer.</summary>
    public ulong Stack => _registers[StackRegister];

    /// <summary>It has called the frame that was left.</summary>
    public bool WasCalling { get; }

    /// <summary>An instruction of what is executed or was called.</summary>
    public ulong Inside => WasCalling ? Instruction - 1 : Instruction;

    /// <summary>That of a CONTEXT.</summary>
    public static NativeFrame Of(ReadOnlySpan<byte> context)
    {
        ulong[] registers = new ulong[CallFrame.Registers];
        for (int i = 0; i < registers.Length; i++)
            registers[i] = BinaryPrimitives.ReadUInt64LittleEndian(context[Places[i]..]);
        return new(registers, wasCalling: false);
    }

    /// <summary>Puts the registers into a CONTEXT.</summary>
    public void Fill(Span<byte> context)
    {
        for (int i = 0; i < _registers.Length; i++)
            BinaryPrimitives.WriteUInt64LittleEndian(context[Places[i]..], _registers[i]);
    }

    /// <summary>The caller of code that has no frame: its address is on top of the stack, below what the code has put there.</summary>
    /// <param name="read">Reads memory.</param>
    /// <param name="pushed">So many words.</param>
    public NativeFrame? CallerOfLeaf(ElfRead read, int pushed = 0)
    {
        ulong[] registers = [.. _registers];
        ulong place = Stack + ((ulong)pushed * sizeof(ulong));
        registers[StackRegister] = place + sizeof(ulong);
        return DwarfExpression.Word(place, read) is { } instruction ? Caller(registers, instruction, wasCalling: true) : null;
    }

    /// <summary>The caller by the rules of a frame; null if there is none, or it cannot be found.</summary>
    public NativeFrame? CallerBy(CallFrame rules, bool isSignal, ElfRead read)
    {
        if (FrameAddress(rules, read) is not { } frame)
            return null;
        ulong[] registers = [.. _registers];
        registers[StackRegister] = frame;
        for (int i = 0; i < registers.Length; i++)
        {
            if (rules[i].Kind is RegisterRuleKind.Same or RegisterRuleKind.Undefined)
                continue;
            if (Value(rules[i], frame, read) is not { } value)
                return null;
            registers[i] = value;
        }
        return rules[InstructionRegister].Kind == RegisterRuleKind.Same ? null : Caller(registers, registers[InstructionRegister], !isSignal);
    }

    /// <summary>The registers by the numbers that instructions give them.</summary>
    public ulong[] ByInstructions() => [.. Numbers.Select(number => _registers[number])];

    /// <summary>A caller that is known.</summary>
    /// <param name="registers">Its registers, by the numbers that instructions give them.</param>
    /// <param name="instruction">Where it goes on.</param>
    /// <param name="wasCalling">See <see cref="WasCalling"/>.</param>
    public NativeFrame? CallerWith(ulong[] registers, ulong instruction, bool wasCalling)
    {
        ulong[] own = [.. _registers];
        for (int i = 0; i < Numbers.Length; i++)
            own[Numbers[i]] = registers[i];
        return Caller(own, instruction, wasCalling);
    }

    // A stack grows down: a caller is above, or the memory is damaged.
    private NativeFrame? Caller(ulong[] registers, ulong instruction, bool wasCalling)
    {
        registers[InstructionRegister] = instruction;
        return registers[StackRegister] > Stack ? new(registers, wasCalling) : null;
    }

    private ulong? FrameAddress(CallFrame rules, ElfRead read) => rules.Frame switch
    {
        { Kind: RegisterRuleKind.Register, Value: >= 0 and < InstructionRegister and var register } => _registers[register] + (ulong)rules.FrameOffset,
        { Kind: RegisterRuleKind.IsExpression, Expression: { } program } => DwarfExpression.Compute(program, _registers, read),
        _ => null,
    };

    private ulong? Value(RegisterRule rule, ulong frame, ElfRead read) => rule switch
    {
        { Kind: RegisterRuleKind.At } => DwarfExpression.Word(frame + (ulong)rule.Value, read),
        { Kind: RegisterRuleKind.Is } => frame + (ulong)rule.Value,
        { Kind: RegisterRuleKind.Register, Value: >= 0 and < CallFrame.Registers } => _registers[rule.Value],
        { Kind: RegisterRuleKind.AtExpression, Expression: { } program } => DwarfExpression.Compute(program, _registers, read, frame) is { } address ? DwarfExpression.Word(address, read) : null,
        { Kind: RegisterRuleKind.IsExpression, Expression: { } program } => DwarfExpression.Compute(program, _registers, read, frame),
        _ => null,
    };
}
