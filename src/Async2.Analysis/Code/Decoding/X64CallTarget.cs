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
        if (Slot(instruction) is { } slot)
            return new AwaitCall(address, slot, ThroughSlot: true);
        return instruction.Op0Kind == OpKind.Register
            ? ThroughRegister(instruction.Op0Register, instructions, call)
            : new AwaitCall(address, 0, ThroughSlot: false);
    }

    // "[rip+slot]"; below 2 GB also "[slot]".
    private static ulong? Slot(in Instruction instruction)
    {
        if (instruction.IsIPRelativeMemoryOperand)
            return instruction.IPRelativeMemoryAddress;
        bool isAbsolute = (instruction.Op0Kind == OpKind.Memory || (instruction.OpCount > 1 && instruction.Op1Kind == OpKind.Memory))
            && instruction is { MemoryBase: Register.None, MemoryIndex: Register.None, SegmentPrefix: Register.None };
        return isAbsolute ? instruction.MemoryDisplacement64 : null;
    }

    // "mov rax, imm64; call rax" or "mov rax, [slot]; call rax"; below 4 GB "mov eax, imm32".
    private static AwaitCall ThroughRegister(Register register, List<Instruction> instructions, int call)
    {
        var unknown = new AwaitCall(instructions[call].IP, 0, ThroughSlot: false);
        for (int i = call - 1; i >= 0 && i > call - LoadWithin; i--)
        {
            Instruction load = instructions[i];
            if (load.Op0Kind != OpKind.Register || load.Op0Register.GetFullRegister() != register)
                continue;
            if (load.Mnemonic != Mnemonic.Mov)
                return unknown;
            if (load.Op1Kind is OpKind.Immediate64 or OpKind.Immediate32)
                return unknown with { Target = load.GetImmediate(1) };
            return Slot(load) is { } slot ? unknown with { Target = slot, ThroughSlot = true } : unknown;
        }
        return unknown;
    }
}
