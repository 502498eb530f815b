using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>The target of a call, as far as the code determines it.</summary>
internal static class X64CallTarget
{
    private const int LoadWithin = 12;

    public static AwaitCall Of(List<Instruction> instructions, int call)
    {
        Instruction instruction = instructions[call];
        ulong address = instruction.IP;
        if (instruction.FlowControl == FlowControl.Call)
            return new AwaitCall(address, instruction.NearBranchTarget, ThroughSlot: false);
        if (instruction.IsIPRelativeMemoryOperand)
            return new AwaitCall(address, instruction.IPRelativeMemoryAddress, ThroughSlot: true);
        return instruction.Op0Kind == OpKind.Register
            ? ThroughRegister(instruction.Op0Register, instructions, call)
            : new AwaitCall(address, 0, ThroughSlot: false);
    }

    // "mov rax, imm64; call rax" or "mov rax, [rip+slot]; call rax"
    private static AwaitCall ThroughRegister(Register register, List<Instruction> instructions, int call)
    {
        var unknown = new AwaitCall(instructions[call].IP, 0, ThroughSlot: false);
        for (int i = call - 1; i >= 0 && i > call - LoadWithin; i--)
        {
            Instruction load = instructions[i];
            if (load.Op0Kind != OpKind.Register || load.Op0Register != register)
                continue;
            if (load.Mnemonic != Mnemonic.Mov)
                return unknown;
            if (load.Op1Kind == OpKind.Immediate64)
                return unknown with { Target = load.Immediate64 };
            return load.IsIPRelativeMemoryOperand ? unknown with { Target = load.IPRelativeMemoryAddress, ThroughSlot = true } : unknown;
        }
        return unknown;
    }
}
