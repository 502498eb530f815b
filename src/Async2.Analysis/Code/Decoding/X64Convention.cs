using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>What x64 code takes for granted: by which registers it calls, and where its locals are.</summary>
/// <param name="IsWindows">The convention of Windows, else that of System V.</param>
/// <param name="HasFramePointer">RBP leads to the locals; else it is a register like any other.</param>
internal readonly record struct X64Convention(bool IsWindows, bool HasFramePointer)
{
    // A prologue saves registers, makes room, and sets the frame pointer.
    private const int PrologueLimit = 40;

    /// <summary>That of code which keeps a frame pointer, as all code does on Linux.</summary>
    public static X64Convention Unix => new(IsWindows: false, HasFramePointer: true);

    /// <summary>Whether locals are addressed by a register.</summary>
    public bool IsFrame(Register register) => register.GetFullRegister() == Register.RSP || (HasFramePointer && register.GetFullRegister() == Register.RBP);

    /// <summary>Whether a body sets a frame pointer at its beginning: <c>lea rbp, [rsp+n]</c> or <c>mov rbp, rsp</c>. A body that continues another one has the other one's.</summary>
    public static bool SetsFramePointer(IReadOnlyList<Instruction> body)
    {
        bool isSaved = false;
        for (int i = 0; i < Math.Min(body.Count, PrologueLimit); i++)
        {
            Instruction instruction = body[i];
            isSaved |= instruction.Mnemonic == Mnemonic.Push && instruction.Op0Register == Register.RBP;
            if (instruction.OpCount < 2 || instruction.Op0Kind != OpKind.Register || instruction.Op0Register != Register.RBP)
                continue;
            if ((instruction.Mnemonic == Mnemonic.Lea && instruction.MemoryBase == Register.RSP) || (instruction.Mnemonic == Mnemonic.Mov && instruction.Op1Register == Register.RSP))
                return true;
            // The first use as a register like any other.
            return !isSaved;
        }
        return !isSaved;
    }
}
