using System.Buffers.Binary;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>The end of a native function of Windows. Nothing but its instructions tells that it has begun, and how much of it is done; it has one of few forms (Microsoft, "x64 prolog and epilog").</summary>
internal static class Epilogue
{
    // The longest: an addition, eight registers, a jump.
    private const int LongestCode = 48;

    /// <summary>Runs to the function's end, if this is its end.</summary>
    /// <param name="library">The library.</param>
    /// <param name="function">The function.</param>
    /// <param name="frameRegister">Its register with the frame's address; 0 for none.</param>
    /// <param name="instruction">Where it is, from the library's beginning.</param>
    /// <param name="registers">What it has.</param>
    /// <returns>What its caller has, except for the return address, which is on top of the stack; null if this is not the end.</returns>
    public static X64Registers? Run(FunctionTable library, RuntimeFunction function, int frameRegister, uint instruction, X64Registers registers)
    {
        Span<byte> padded = stackalloc byte[LongestCode];
        padded.Clear();
        if (instruction < function.Begin || instruction >= function.End || !library.Read(instruction, padded[..(int)Math.Min(LongestCode, function.End - instruction)]))
            return null;
        X64Registers after = registers.Copy();
        int at = Free(padded, frameRegister, after);
        while (PopOf(padded[at..]) is { } pop)
        {
            if (!after.Pop(pop.Register) || at + pop.Length > LongestCode - 8)
                return null;
            at += pop.Length;
        }
        return Leaves(padded[at..], library, function, instruction + (uint)at) ? after : null;
    }

    // add rsp, or lea rsp of the frame's register; returns its length.
    private static int Free(ReadOnlySpan<byte> code, int frameRegister, X64Registers registers)
    {
        (int length, long number) = (code[1] == 0x83 || (code[2] & 0xf8) == 0x60) ? (4, (sbyte)code[3]) : (7, BinaryPrimitives.ReadInt32LittleEndian(code[3..]));
        bool isAddition = code[0] == 0x48 && code[1] is 0x83 or 0x81 && code[2] == 0xc4;
        int register = ((code[0] & 1) << 3) | (code[2] & 7);
        bool isFrame = (code[0] & 0xfe) == 0x48 && code[1] == 0x8d && (code[2] & 0xf8) is 0x60 or 0xa0 && register == frameRegister && register is not (0 or 4 or 12);
        if (!isAddition && !isFrame)
            return 0;
        registers.Stack = (isAddition ? registers.Stack : registers[register]) + (ulong)number;
        return length;
    }

    private static (int Register, int Length)? PopOf(ReadOnlySpan<byte> code)
        => (code[0] & 0xf8) == 0x58 ? (code[0] & 7, 1) : (code[0] & 0xf0) == 0x40 && (code[1] & 0xf8) == 0x58 ? (((code[0] & 1) << 3) | (code[1] & 7), 2) : null;

    // A return, or a jump into another function.
    private static bool Leaves(ReadOnlySpan<byte> code, FunctionTable library, RuntimeFunction function, uint instruction)
    {
        int prefix = code[0] == 0xf2 ? 1 : 0;
        ReadOnlySpan<byte> own = code[prefix..];
        instruction += (uint)prefix;
        return own[0] switch
        {
            0xc3 or 0xc2 => true,
            0xf3 => own[1] == 0xc3,
            0xeb => LeadsOut(library, function, instruction + 2 + (uint)(sbyte)own[1]),
            0xe9 => LeadsOut(library, function, instruction + 5 + BinaryPrimitives.ReadUInt32LittleEndian(own[1..])),
            0xff => own[1] == 0x25,
            // The prefix, which such a jump does not need, says that it leaves the function.
            >= 0x48 and <= 0x4f => own[1] == 0xff && (own[2] & 0x38) == 0x20,
            _ => false,
        };
    }

    // The beginning of a function is called, its own as well; the cold part of this one, which lies elsewhere, is not.
    private static bool LeadsOut(FunctionTable library, RuntimeFunction function, uint target)
    {
        if (target >= function.Begin && target < function.End)
            return target == function.Begin && function.First(library.Read) is { } own && own.Begin == target;
        return library.Find(target, out RuntimeFunction other) != true
            || other.First(library.Read) is not { } first || function.First(library.Read) is not { } mine || first.Begin != mine.Begin || target == first.Begin;
    }
}
