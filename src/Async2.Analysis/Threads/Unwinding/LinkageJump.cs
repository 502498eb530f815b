using Async2.Analysis.Targets.Elf;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>
/// The jump through which a library calls functions of others (.plt of the System V ABI). The linker makes it, and that of LLVM, which links coreclr, describes no
/// frame for it. It changes neither registers nor stack.
/// </summary>
internal static class LinkageJump
{
    private const int Longest = 7;

    // endbr64, and bnd before a jump: entries for processors that check where jumps lead.
    private static ReadOnlySpan<byte> Target => [0xf3, 0x0f, 0x1e, 0xfa];

    private const byte Bound = 0xf2;

    // jmp [rip + n].
    private static ReadOnlySpan<byte> Jump => [0xff, 0x25];

    /// <summary>Whether a thread is at it: none of the rest of an entry is executed where all functions are found when a library is loaded.</summary>
    /// <param name="instruction">What the thread executes next.</param>
    /// <param name="read">Reads memory.</param>
    public static bool IsAt(ulong instruction, ElfRead read)
    {
        Span<byte> code = stackalloc byte[Longest];
        // At the end of a page there may be less; that is not known to be one then.
        if (!read(instruction, code))
            return false;
        if (code.StartsWith(Target))
            code = code[Target.Length..];
        return code.StartsWith(Jump) || (code[0] == Bound && code[1..].StartsWith(Jump));
    }
}
