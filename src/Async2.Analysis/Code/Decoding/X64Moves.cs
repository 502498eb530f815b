using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>Instructions in jitted code that copy bytes unchanged.</summary>
internal static class X64Moves
{
    private static readonly HashSet<Mnemonic> Plain =
    [
        // A widened value keeps its bytes at the low end.
        Mnemonic.Mov, Mnemonic.Movzx, Mnemonic.Movsx, Mnemonic.Movsxd,
        Mnemonic.Movd, Mnemonic.Movq, Mnemonic.Movss, Mnemonic.Movsd, Mnemonic.Movups, Mnemonic.Movaps, Mnemonic.Movupd, Mnemonic.Movapd,
        Mnemonic.Movdqu, Mnemonic.Movdqa,
        Mnemonic.Vmovd, Mnemonic.Vmovq, Mnemonic.Vmovss, Mnemonic.Vmovsd, Mnemonic.Vmovups, Mnemonic.Vmovaps, Mnemonic.Vmovupd, Mnemonic.Vmovapd,
        Mnemonic.Vmovdqu, Mnemonic.Vmovdqa, Mnemonic.Vmovdqu8, Mnemonic.Vmovdqu16, Mnemonic.Vmovdqu32, Mnemonic.Vmovdqu64,
        Mnemonic.Vmovdqa32, Mnemonic.Vmovdqa64,
    ];

    private static readonly HashSet<Mnemonic> Logical = [Mnemonic.Xor, Mnemonic.Xorps, Mnemonic.Pxor, Mnemonic.Vxorps, Mnemonic.Vpxor, Mnemonic.Vpxord];

    private static readonly HashSet<Mnemonic> ReadOnly = [Mnemonic.Cmp, Mnemonic.Test, Mnemonic.Nop, Mnemonic.Push, Mnemonic.Vzeroupper, Mnemonic.Ucomisd, Mnemonic.Ucomiss];

    public static bool IsMove(Mnemonic mnemonic) => Plain.Contains(mnemonic);

    /// <summary>May change its first operand in an unsupported way.</summary>
    public static bool Changes(Mnemonic mnemonic) => !ReadOnly.Contains(mnemonic);

    /// <summary><c>xor r, r</c> and its vector forms.</summary>
    public static bool Clears(in Instruction instruction)
        => Logical.Contains(instruction.Mnemonic) && instruction.Op0Kind == OpKind.Register
            && instruction.GetOpKind(instruction.OpCount - 1) == OpKind.Register && instruction.GetOpKind(instruction.OpCount - 2) == OpKind.Register
            && instruction.GetOpRegister(instruction.OpCount - 1) == instruction.GetOpRegister(instruction.OpCount - 2);

    public static bool IsImmediate(OpKind kind)
        => kind is OpKind.Immediate8 or OpKind.Immediate16 or OpKind.Immediate32 or OpKind.Immediate64 or OpKind.Immediate8to16
            or OpKind.Immediate8to32 or OpKind.Immediate8to64 or OpKind.Immediate32to64;

    /// <summary>Bytes of one step of <c>movs</c>; 0 for other string instructions.</summary>
    public static int StringUnit(Mnemonic mnemonic) => mnemonic switch
    {
        Mnemonic.Movsb => 1,
        Mnemonic.Movsw => 2,
        Mnemonic.Movsd => 4,
        Mnemonic.Movsq => 8,
        _ => 0,
    };
}
