using System.Buffers.Binary;
using Async2.Analysis.Targets.Pe;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>What the beginning of a native function of Windows does to registers and stack, last step first: UNWIND_INFO (Microsoft, "x64 exception handling").</summary>
/// <param name="BeginSize">Bytes of instructions that it is about.</param>
/// <param name="FrameRegister">The register that holds the frame's address; 0 for none.</param>
/// <param name="FrameOffset">How far that is above the stack pointer.</param>
/// <param name="Codes">The steps.</param>
/// <param name="Chained">The part of the function that comes before this one.</param>
internal sealed record UnwindInfo(uint BeginSize, int FrameRegister, uint FrameOffset, byte[] Codes, RuntimeFunction? Chained)
{
    private const int HeadSize = 4, SlotSize = 2;
    private const int IsChained = 4;

    // UWOP_*.
    private const int Push = 0, AllocateLarge = 1, AllocateSmall = 2, SetFrame = 3, Save = 4, SaveFar = 5, Epilog = 6, SaveVector = 8, SaveVectorFar = 9, Interrupted = 10;

    /// <summary>Null if it cannot be read, or is of a version that is not known.</summary>
    /// <param name="read">Reads the library.</param>
    /// <param name="place">Where it is.</param>
    public static UnwindInfo? Read(PeRead read, uint place)
    {
        Span<byte> head = stackalloc byte[HeadSize];
        if (!read(place, head) || (head[0] & 7) is not (1 or 2))
            return null;
        byte[] codes = new byte[head[2] * SlotSize];
        if (!read(place + HeadSize, codes))
            return null;
        RuntimeFunction? chained = null;
        if ((head[0] >> 3 & IsChained) != 0)
        {
            chained = RuntimeFunction.At(read, place + HeadSize + (uint)(head[2] + (head[2] & 1)) * SlotSize);
            if (chained is null)
                return null;
        }
        return new(head[1], head[3] & 15, (uint)(head[3] >> 4) * 16, codes, chained);
    }

    /// <summary>The address that saved registers are counted from.</summary>
    /// <param name="registers">Of the frame.</param>
    /// <param name="offset">Of its instruction in the function.</param>
    public ulong FrameOf(X64Registers registers, uint offset)
        => FrameRegister != 0 && (Chained is not null || offset >= BeginSize || HasFrame(offset)) ? registers[FrameRegister] - FrameOffset : registers.Stack;

    /// <summary>Undoes the steps that were done at an instruction; false if one is not known, or memory is missing.</summary>
    /// <param name="registers">Those of the frame, which become those of its caller.</param>
    /// <param name="frame">See <see cref="FrameOf"/>.</param>
    /// <param name="offset">Of the instruction in the function.</param>
    public bool Undo(X64Registers registers, ulong frame, uint offset)
    {
        for (int i = 0; i < Codes.Length;)
        {
            (int code, int info) = (Codes[i + 1] & 15, Codes[i + 1] >> 4);
            int slots = Slots(code, info);
            if (slots == 0 || i + (slots * SlotSize) > Codes.Length)
                return false;
            uint operand = slots == 2 ? BinaryPrimitives.ReadUInt16LittleEndian(Codes.AsSpan(i + SlotSize)) : slots == 3 ? BinaryPrimitives.ReadUInt32LittleEndian(Codes.AsSpan(i + SlotSize)) : 0;
            if (offset >= Codes[i] && !Undo(registers, frame, code, info, operand))
                return false;
            i += slots * SlotSize;
        }
        return true;
    }

    private bool Undo(X64Registers registers, ulong frame, int code, int info, uint operand)
    {
        switch (code)
        {
            case Push:
                return registers.Pop(info);
            case AllocateLarge:
                registers.Stack += info == 0 ? operand * 8ul : operand;
                return true;
            case AllocateSmall:
                registers.Stack += (ulong)info * 8 + 8;
                return true;
            case SetFrame:
                registers.Stack = registers[FrameRegister] - FrameOffset;
                return true;
            case Save:
                return registers.Load(info, frame + operand * 8ul);
            case SaveFar:
                return registers.Load(info, frame + operand);
            case Interrupted:
                return registers.ReturnFromInterrupt(info != 0);
            default:
                // Vector registers are not needed; where the function ends, its instructions say.
                return true;
        }
    }

    private static int Slots(int code, int info) => code switch
    {
        Push or AllocateSmall or SetFrame or Interrupted => 1,
        AllocateLarge => info == 0 ? 2 : 3,
        Save or Epilog or SaveVector => 2,
        SaveFar or SaveVectorFar => 3,
        _ => 0,
    };

    // Whether the frame's register has been set at an instruction.
    private bool HasFrame(uint offset)
    {
        for (int i = 0; i < Codes.Length; i += Math.Max(1, Slots(Codes[i + 1] & 15, Codes[i + 1] >> 4)) * SlotSize)
        {
            if ((Codes[i + 1] & 15) == SetFrame)
                return offset >= Codes[i];
        }
        return false;
    }
}
