using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>
/// Registers of a thread that was stopped. Kept as the kernel gives them (struct user_regs_struct of sys/user.h), and put into the
/// form that the DAC wants (CONTEXT of coreclr's pal.h) when it asks.
/// </summary>
internal static class ThreadRegisters
{
    /// <summary>Bytes of the kernel's structure: 27 words on x64, 34 on arm64.</summary>
    public const int Size = 34 * 8;

    // Where CONTEXT has each register of user_regs_struct, in the kernel's order: r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx
    // rsi rdi (orig_rax) rip (cs) (eflags) rsp.
    private static readonly int[] X64 = [0xf0, 0xe8, 0xe0, 0xd8, 0xa0, 0x90, 0xd0, 0xc8, 0xc0, 0xb8, 0x78, 0x80, 0x88, 0xa8, 0xb0, -1, 0xf8, -1, -1, 0x98];

    // The same by name; arm64 has x0 to x28, fp, lr, sp, pc, pstate (struct user_pt_regs of asm/ptrace.h).
    private static readonly string[] X64Names =
        ["r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi", "rdi", "orig_rax", "rip", "cs", "rflags", "rsp"];
    private static readonly string[] Arm64Names = [.. Enumerable.Range(0, 29).Select(i => FormattableString.Invariant($"x{i}")), "fp", "lr", "sp", "pc", "cpsr"];

    private static bool IsArm64 => RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    /// <summary>Registers of which two are known.</summary>
    public static byte[] Of(ulong stackPointer, ulong instructionPointer)
    {
        byte[] registers = new byte[Size];
        Put(registers, IsArm64 ? "sp" : "rsp", stackPointer);
        Put(registers, IsArm64 ? "pc" : "rip", instructionPointer);
        return registers;
    }

    /// <summary>Sets one; nothing happens for a name that is not of these.</summary>
    /// <param name="registers">In the kernel's form.</param>
    /// <param name="name">As debuggers write it, <c>rsp</c>.</param>
    /// <param name="value">What it holds.</param>
    public static void Put(Span<byte> registers, string name, ulong value)
    {
        if (Array.IndexOf(IsArm64 ? Arm64Names : X64Names, name) is >= 0 and var index)
            BinaryPrimitives.WriteUInt64LittleEndian(registers[(index * 8)..], value);
    }

    /// <summary>Fills a CONTEXT; false for a processor that is not known, or a buffer that is too small.</summary>
    public static bool TryFill(ReadOnlySpan<byte> registers, Architecture architecture, Span<byte> context)
    {
        context.Clear();
        return architecture switch
        {
            Architecture.X64 when context.Length >= 0x100 => FillX64(registers, context),
            Architecture.Arm64 when context.Length >= 0x110 => FillArm64(registers, context),
            _ => false,
        };
    }

    private static bool FillX64(ReadOnlySpan<byte> registers, Span<byte> context)
    {
        // CONTEXT_AMD64 | CONTROL | INTEGER | SEGMENTS
        BinaryPrimitives.WriteUInt32LittleEndian(context[0x30..], 0x100007);
        for (int i = 0; i < X64.Length; i++)
        {
            if (X64[i] >= 0)
                registers.Slice(i * 8, 8).CopyTo(context[X64[i]..]);
        }
        // cs, eflags, ss, ds, es, fs, gs
        foreach ((int word, int offset, int size) in (ReadOnlySpan<(int, int, int)>)[(17, 0x38, 2), (18, 0x44, 4), (20, 0x42, 2), (23, 0x3a, 2), (24, 0x3c, 2), (25, 0x3e, 2), (26, 0x40, 2)])
            registers.Slice(word * 8, size).CopyTo(context[offset..]);
        return true;
    }

    // x0 to x28, fp, lr, sp and pc stand in the same order in both.
    private static bool FillArm64(ReadOnlySpan<byte> registers, Span<byte> context)
    {
        // CONTEXT_ARM64 | CONTROL | INTEGER; then Cpsr
        BinaryPrimitives.WriteUInt32LittleEndian(context, 0x400003);
        registers.Slice(33 * 8, 4).CopyTo(context[4..]);
        registers[..(33 * 8)].CopyTo(context[8..]);
        return true;
    }
}
