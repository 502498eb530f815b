using System.Buffers.Binary;
using Async2.Analysis.Targets.Pe;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>A native function of Windows, or a part of one, as the table of its library has it: RUNTIME_FUNCTION (PE Format, "The .pdata Section"). Addresses count from the library's beginning.</summary>
/// <param name="Begin">Its first instruction.</param>
/// <param name="End">What comes after it.</param>
/// <param name="Info">Where its <see cref="UnwindInfo"/> is.</param>
internal readonly record struct RuntimeFunction(uint Begin, uint End, uint Info)
{
    /// <summary>Bytes of an entry.</summary>
    public const int Size = 12;

    /// <summary>How many entries may follow one another: one leads to the next.</summary>
    public const int ChainLimit = 32;

    /// <summary>The entry at a place; null if it cannot be read.</summary>
    public static RuntimeFunction? At(PeRead read, uint place)
    {
        Span<byte> bytes = stackalloc byte[Size];
        return read(place, bytes) ? Of(bytes) : null;
    }

    /// <summary>The entry in bytes.</summary>
    public static RuntimeFunction Of(ReadOnlySpan<byte> bytes) => new(
        BinaryPrimitives.ReadUInt32LittleEndian(bytes), BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]), BinaryPrimitives.ReadUInt32LittleEndian(bytes[8..]));

    /// <summary>The part that the function begins with; null if that cannot be read.</summary>
    public RuntimeFunction? First(PeRead read)
    {
        RuntimeFunction part = this;
        for (int i = 0; i < ChainLimit; i++)
        {
            if (UnwindInfo.Read(read, part.Info) is not { } info)
                return null;
            if (info.Chained is not { } before)
                return part;
            part = before;
        }
        return null;
    }
}
