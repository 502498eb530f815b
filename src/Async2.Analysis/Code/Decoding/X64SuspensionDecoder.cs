using System.Collections.Immutable;
using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>
/// Decodes suspension blocks of x64 code. Shape (RyuJIT 10.0.12):
/// <code>
///   call  callee              ; the await
///   test  rcx, rcx            ; the callee's continuation comes back in rcx (Tier0: through the stack)
///   jne   block
/// block:
///   ...   call AllocContinuation
///   mov   rcx, RESUME         ; the constant that led here
///   mov   [rax+20h], rcx      ; Continuation.Resume (below 2 GB: mov qword ptr [rax+20h], RESUME)
///   mov   dword [rax+28h], STATE
///   mov   dword [rax+2Ch], FLAGS   ; or one 8-byte store of both
/// </code>
/// State numbers follow the JIT's block order, not the order of awaits in IL, so the call has to be found from the block.
/// </summary>
internal static class X64SuspensionDecoder
{
    // A block is short; these bounds keep the search from running into unrelated code.
    private const int StoresWithin = 80;
    private const int BlockWithin = 60;
    private const int CallWithin = 30;

    public static ImmutableArray<SuspensionBlock> Decode(byte[] code, ulong address, ulong resume)
    {
        List<Instruction> instructions = new X64Code(code, address).Instructions;
        ILookup<ulong, int> branches = BranchesByTarget(instructions);
        var convention = new X64Convention(IsWindows: false, X64Convention.SetsFramePointer(instructions));
        var blocks = ImmutableArray.CreateBuilder<SuspensionBlock>();
        for (int i = 0; i < instructions.Count; i++)
        {
            if (!LoadsConstant(instructions[i], resume) || X64StateStore.Find(instructions, i, StoresWithin, convention) is not { } state)
                continue;
            int start = BlockStart(instructions, branches, i);
            ImmutableArray<AwaitCall> calls = start < 0 ? [] : CallsInto(instructions, branches, start);
            blocks.Add(new SuspensionBlock(state, instructions[Math.Max(start, 0)].IP, calls) { Resume = resume, HasFramePointer = convention.HasFramePointer });
        }
        return blocks.ToImmutable();
    }

    private static ILookup<ulong, int> BranchesByTarget(List<Instruction> instructions)
        => Enumerable.Range(0, instructions.Count)
            .Where(i => instructions[i].FlowControl == FlowControl.ConditionalBranch)
            .ToLookup(i => instructions[i].NearBranchTarget);

    private static bool LoadsConstant(in Instruction instruction, ulong constant) => instruction.Mnemonic switch
    {
        Mnemonic.Mov => instruction.Op1Kind is OpKind.Immediate64 or OpKind.Immediate32to64 or OpKind.Immediate32
            && instruction.Op0Kind is OpKind.Register or OpKind.Memory && instruction.GetImmediate(1) == constant,
        Mnemonic.Lea => instruction.IsIPRelativeMemoryOperand && instruction.IPRelativeMemoryAddress == constant,
        _ => false,
    };

    private static int BlockStart(List<Instruction> instructions, ILookup<ulong, int> branches, int load)
    {
        for (int i = load; i >= 0 && i > load - BlockWithin; i--)
        {
            if (branches.Contains(instructions[i].IP))
                return i;
        }
        return -1;
    }

    private static ImmutableArray<AwaitCall> CallsInto(List<Instruction> instructions, ILookup<ulong, int> branches, int start)
    {
        var calls = ImmutableArray.CreateBuilder<AwaitCall>();
        foreach (int branch in branches[instructions[start].IP])
        {
            for (int i = branch - 1; i >= 0 && i > branch - CallWithin; i--)
            {
                if (instructions[i].FlowControl is not (FlowControl.Call or FlowControl.IndirectCall))
                    continue;
                calls.Add(X64CallTarget.Of(instructions, i));
                break;
            }
        }
        return calls.ToImmutable();
    }
}

/// <summary>
/// Follows constants through registers from the load of the resume stub to the store into <c>Continuation.State</c>, the
/// pointer-sized field after <c>Resume</c>.
/// </summary>
internal static class X64StateStore
{
    public static uint? Find(List<Instruction> instructions, int load, int within, X64Convention convention)
    {
        var constants = new Dictionary<Register, ulong>();
        bool isStored = instructions[load].Op0Kind == OpKind.Memory;
        if (isStored && !IsObjectStore(instructions[load], convention))
            return null;
        Register resume = isStored ? Register.None : instructions[load].Op0Register.GetFullRegister();
        uint? resumeOffset = isStored ? (uint)instructions[load].MemoryDisplacement64 : null;
        for (int i = load + 1; i < instructions.Count && i < load + within; i++)
        {
            Instruction instruction = instructions[i];
            if (instruction.FlowControl == FlowControl.Return)
                return null;
            if (IsObjectStore(instruction, convention))
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

    // Locals are addressed by frame registers; the continuation by another one.
    private static bool IsObjectStore(in Instruction instruction, X64Convention convention)
        => instruction.Mnemonic == Mnemonic.Mov && instruction.Op0Kind == OpKind.Memory
            && instruction.MemoryBase is not (Register.None or Register.RIP) && !convention.IsFrame(instruction.MemoryBase);

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
