using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>
/// Follows constants through registers from the load of the resume stub to the store into <c>Continuation.State</c>, the
/// pointer-sized field after <c>Resume</c>.
/// </summary>
internal static class X64StateStore
{
    public static uint? Find(List<Instruction> instructions, int load, int within)
    {
        var constants = new Dictionary<Register, ulong>();
        Register resume = instructions[load].Op0Register.GetFullRegister();
        uint? resumeOffset = null;
        for (int i = load + 1; i < instructions.Count && i < load + within; i++)
        {
            Instruction instruction = instructions[i];
            if (instruction.FlowControl == FlowControl.Return)
                return null;
            if (IsObjectStore(instruction))
            {
                uint offset = (uint)instruction.MemoryDisplacement64;
                if (resumeOffset is null && instruction.Op1Kind == OpKind.Register && instruction.Op1Register == resume)
                    resumeOffset = offset;
                else if (offset == resumeOffset + 8)
                    return (uint?)StoredConstant(instruction, constants);
            }
            else if (instruction.Op0Kind == OpKind.Register)
            {
                Track(instruction, constants);
            }
        }
        return null;
    }

    // Locals are addressed by rbp or rsp; the continuation by another register.
    private static bool IsObjectStore(in Instruction instruction)
        => instruction.Mnemonic == Mnemonic.Mov && instruction.Op0Kind == OpKind.Memory
            && instruction.MemoryBase is not (Register.RBP or Register.RSP or Register.None or Register.RIP);

    private static ulong? StoredConstant(in Instruction store, Dictionary<Register, ulong> constants)
        => store.Op1Kind != OpKind.Register ? store.GetImmediate(1)
            : constants.TryGetValue(store.Op1Register.GetFullRegister(), out ulong value) ? value : null;

    private static void Track(in Instruction instruction, Dictionary<Register, ulong> constants)
    {
        Register register = instruction.Op0Register.GetFullRegister();
        if (instruction.Mnemonic == Mnemonic.Xor && instruction.Op1Kind == OpKind.Register && instruction.Op1Register == instruction.Op0Register)
            constants[register] = 0;
        else if (instruction.Mnemonic == Mnemonic.Mov
            && instruction.Op1Kind is OpKind.Immediate8 or OpKind.Immediate16 or OpKind.Immediate32 or OpKind.Immediate32to64 or OpKind.Immediate64)
            constants[register] = instruction.GetImmediate(1);
        else
            constants.Remove(register);
    }
}
