using System.Collections.Immutable;

namespace Async2.Analysis.Code.DebugInfo;

/// <summary>A basic block: native code that is entered at its start and left at its end.</summary>
/// <param name="Start">Offset of the first instruction, from the start of the body.</param>
/// <param name="End">Offset after the last one.</param>
/// <param name="Next">Positions of the blocks that may follow.</param>
internal sealed record NativeBlock(uint Start, uint End, ImmutableArray<int> Next);

/// <summary>
/// The control flow of a native body. The optimiser moves blocks, so the code before an instruction is often not what runs
/// before it. Jumps through tables are not followed: a block that is reached only by one has no known predecessor.
/// </summary>
internal sealed class NativeFlow(ImmutableArray<NativeBlock> blocks)
{
    /// <summary>For code that cannot be decoded.</summary>
    public static NativeFlow Empty { get; } = new([]);

    /// <summary>In order of address.</summary>
    public ImmutableArray<NativeBlock> Blocks => blocks;

    /// <summary>Position of the block that contains an offset; -1 if there is none.</summary>
    public int IndexOf(uint offset)
    {
        int low = 0, high = blocks.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            if (offset < blocks[middle].Start)
                high = middle - 1;
            else if (offset >= blocks[middle].End)
                low = middle + 1;
            else
                return middle;
        }
        return -1;
    }
}
