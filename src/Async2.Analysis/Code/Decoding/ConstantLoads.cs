using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Async2.Analysis.Code.Decoding;

/// <summary>
/// Finds x64 instructions that load a 64-bit constant: <c>mov r64, imm64</c> and <c>lea r64, [rip+disp32]</c>. Checks sixteen positions at
/// a time: all jitted code of a process is searched. Where code lies below 4 GB, as on a Windows machine whose programs are not spread over all
/// addresses, a constant has 32 bits: <c>mov r32, imm32</c> and <c>mov qword ptr [r64+disp8], imm32</c>.
/// </summary>
internal static class ConstantLoads
{
    private const int Width = 16;

    // The longest pattern before its operand: REX, opcode, ModRM.
    private const int Lead = 3;

    /// <summary>Receives a constant and the offset of the operand that holds it.</summary>
    public delegate void Found(ulong constant, int operand);

    /// <param name="code">The code.</param>
    /// <param name="address">Of its first byte.</param>
    /// <param name="low">The lowest constant of interest.</param>
    /// <param name="high">The highest.</param>
    /// <param name="found">Called for each one between them, in order.</param>
    public static void Scan(ReadOnlySpan<byte> code, ulong address, ulong low, ulong high, Found found)
    {
        if (low <= uint.MaxValue)
            ScanShort(code, (uint)low, (uint)Math.Min(high, uint.MaxValue), found);
        int place = 0;
        for (; place + Width + Lead <= code.Length; place += Width)
        {
            for (uint hits = Candidates(code, place); hits != 0; hits &= hits - 1)
                Check(code, place + BitOperations.TrailingZeroCount(hits), address, low, high, found);
        }
        for (; place < code.Length; place++)
            Check(code, place, address, low, high, found);
    }

    private static void ScanShort(ReadOnlySpan<byte> code, uint low, uint high, Found found)
    {
        for (int operand = 1; operand + sizeof(uint) <= code.Length; operand++)
        {
            uint constant = BinaryPrimitives.ReadUInt32LittleEndian(code[operand..]);
            // A 32-bit number that is stored as 64 bits gets its sign.
            if (constant >= low && constant <= high && (IsShortLoad(code[..operand]) || (constant <= int.MaxValue && IsShortStore(code[..operand]))))
                found(constant, operand);
        }
    }

    // B8+r, unless REX.W before it makes the operand one of 64 bits.
    private static bool IsShortLoad(ReadOnlySpan<byte> before)
        => (before[^1] & 0xF8) == 0xB8 && !(before.Length > 1 && (before[^2] & 0xF8) == 0x48);

    // REX.W, C7 /0, ModRM 01 000 base, disp8; with the base r12 also a SIB byte.
    private static bool IsShortStore(ReadOnlySpan<byte> before)
        => (before.Length >= 4 && (before[^4] & 0xFE) == 0x48 && before[^3] == 0xC7 && (before[^2] & 0xF8) == 0x40 && before[^2] != 0x44)
            || (before.Length >= 5 && before[^5] == 0x49 && before[^4] == 0xC7 && before[^3] == 0x44 && before[^2] == 0x24);

    // A bit for each position of a prefix and an opcode that may load a constant.
    private static uint Candidates(ReadOnlySpan<byte> code, int place)
    {
        ref byte first = ref MemoryMarshal.GetReference(code);
        Vector128<byte> rex = Vector128.LoadUnsafe(ref first, (nuint)place);
        Vector128<byte> opcode = Vector128.LoadUnsafe(ref first, (nuint)place + 1);
        Vector128<byte> modRm = Vector128.LoadUnsafe(ref first, (nuint)place + 2);
        Vector128<byte> mov = Vector128.Equals(rex & Vector128.Create((byte)0xFE), Vector128.Create((byte)0x48))
            & Vector128.Equals(opcode & Vector128.Create((byte)0xF8), Vector128.Create((byte)0xB8));
        Vector128<byte> lea = Vector128.Equals(rex & Vector128.Create((byte)0xFB), Vector128.Create((byte)0x48))
            & Vector128.Equals(opcode, Vector128.Create((byte)0x8D)) & Vector128.Equals(modRm & Vector128.Create((byte)0xC7), Vector128.Create((byte)0x05));
        return (mov | lea).ExtractMostSignificantBits();
    }

    private static void Check(ReadOnlySpan<byte> code, int rex, ulong address, ulong low, ulong high, Found found)
    {
        ReadOnlySpan<byte> bytes = code[rex..];
        ulong constant;
        int operand;
        // REX.W or REX.WB, B8+r.
        if (bytes.Length >= 10 && (bytes[0] & 0xFE) == 0x48 && (bytes[1] & 0xF8) == 0xB8)
        {
            operand = 2;
            constant = BinaryPrimitives.ReadUInt64LittleEndian(bytes[2..]);
        }
        // REX.W or REX.WR, 8D, ModRM 00 reg 101.
        else if (bytes.Length >= 7 && (bytes[0] & 0xFB) == 0x48 && bytes[1] == 0x8D && (bytes[2] & 0xC7) == 0x05)
        {
            operand = 3;
            constant = address + (ulong)(rex + 7) + (ulong)BinaryPrimitives.ReadInt32LittleEndian(bytes[3..]);
        }
        else
        {
            return;
        }
        if (constant >= low && constant <= high)
            found(constant, rex + operand);
    }
}
