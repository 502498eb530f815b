using System.Buffers.Binary;
using Async2.Analysis.Targets.Elf;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>A small program that computes an address (DWARF 5, section 2.5), as far as the compilers of C use them in frames: jump tables of a library, and what returns from a signal.</summary>
internal static class DwarfExpression
{
    private const int StackLimit = 64;

    /// <summary>Null if it cannot be computed.</summary>
    /// <param name="program">Its bytes.</param>
    /// <param name="registers">Of the frame.</param>
    /// <param name="read">Reads memory.</param>
    /// <param name="first">What is on its stack at the beginning; null for nothing.</param>
    public static ulong? Compute(ReadOnlySpan<byte> program, ReadOnlySpan<ulong> registers, ElfRead read, ulong? first = null)
    {
        var stack = new Stack<ulong>();
        if (first is { } initial)
            stack.Push(initial);
        var cursor = new DwarfCursor(program, 0);
        while (!cursor.IsAtEnd)
        {
            byte code = cursor.Byte();
            if (Constant(code, registers, ref cursor) is { } value)
                stack.Push(value);
            else if (code == 0x06 ? !Load(stack, read) : code == 0x23 ? !Add(stack, cursor.Unsigned()) : !Combine(code, stack))
                return null;
            if (stack.Count > StackLimit)
                return null;
        }
        return !cursor.IsBroken && stack.TryPop(out ulong result) ? result : null;
    }

    private static ulong? Constant(byte code, ReadOnlySpan<ulong> registers, ref DwarfCursor cursor) => code switch
    {
        0x08 => cursor.Byte(),
        0x09 => (ulong)(sbyte)cursor.Byte(),
        0x0a => cursor.UInt16(),
        0x0b => (ulong)(short)cursor.UInt16(),
        0x0c => cursor.UInt32(),
        0x0d => (ulong)(int)cursor.UInt32(),
        0x0e or 0x0f => cursor.UInt64(),
        0x10 => cursor.Unsigned(),
        0x11 => (ulong)cursor.Signed(),
        // DW_OP_lit0 to 31, DW_OP_breg0 to 16.
        >= 0x30 and < 0x50 => (ulong)(code - 0x30),
        >= 0x70 and < 0x81 => registers[code - 0x70] + (ulong)cursor.Signed(),
        _ => null,
    };

    private static bool Load(Stack<ulong> stack, ElfRead read)
    {
        if (!stack.TryPop(out ulong address) || Word(address, read) is not { } value)
            return false;
        stack.Push(value);
        return true;
    }

    /// <summary>A word of memory; null if it cannot be read.</summary>
    public static ulong? Word(ulong address, ElfRead read)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        return read(address, bytes) ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : null;
    }

    private static bool Add(Stack<ulong> stack, ulong number)
    {
        if (!stack.TryPop(out ulong value))
            return false;
        stack.Push(value + number);
        return true;
    }

    // DW_OP_dup, and, minus, or, plus, shl, shr, eq, ge, gt, le, lt, ne.
    private static bool Combine(byte code, Stack<ulong> stack)
    {
        if (code == 0x12 && stack.TryPeek(out ulong top))
        {
            stack.Push(top);
            return true;
        }
        if (!stack.TryPop(out ulong right) || !stack.TryPop(out ulong left))
            return false;
        (long a, long b) = ((long)left, (long)right);
        ulong? result = code switch
        {
            0x1a => left & right,
            0x1c => left - right,
            0x21 => left | right,
            0x22 => left + right,
            0x24 => right < 64 ? left << (int)right : 0,
            0x25 => right < 64 ? left >> (int)right : 0,
            0x29 => a == b ? 1u : 0u,
            0x2a => a >= b ? 1u : 0u,
            0x2b => a > b ? 1u : 0u,
            0x2c => a <= b ? 1u : 0u,
            0x2d => a < b ? 1u : 0u,
            0x2e => a != b ? 1u : 0u,
            _ => null,
        };
        stack.Push(result ?? 0);
        return result is not null;
    }
}
