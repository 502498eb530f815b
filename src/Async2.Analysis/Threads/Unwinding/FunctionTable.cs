using Async2.Analysis.Targets.Libraries;
using Async2.Analysis.Targets.Pe;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>The functions of a library of Windows, by their addresses.</summary>
/// <param name="Read">Reads the library.</param>
/// <param name="Place">Where the table is, from the library's beginning.</param>
/// <param name="Bytes">Of the table; 0 if there is none.</param>
internal readonly record struct FunctionTable(PeRead Read, uint Place, uint Bytes)
{
    // The entry stands for another one.
    private const uint Indirect = 1;

    /// <summary>That of a library in a target.</summary>
    public static FunctionTable Of(PeModule module) => new(module.TryReadAt, module.Functions, module.FunctionsSize);

    /// <summary>Looks for the entry of an instruction.</summary>
    /// <param name="instruction">From the library's beginning.</param>
    /// <param name="found">The entry; of no use if there is none.</param>
    /// <returns>Whether there is one: a function without an entry calls nothing and keeps all registers. Null if the table cannot be read.</returns>
    public bool? Find(uint instruction, out RuntimeFunction found)
    {
        found = default;
        for (uint low = 0, high = Bytes / RuntimeFunction.Size; low < high;)
        {
            uint middle = low + ((high - low) / 2);
            if (RuntimeFunction.At(Read, Place + (middle * RuntimeFunction.Size)) is not { } entry)
                return null;
            if (instruction < entry.Begin)
                high = middle;
            else if (instruction >= entry.End)
                low = middle + 1;
            else
                return Direct(entry, out found) ? true : null;
        }
        return false;
    }

    private bool Direct(RuntimeFunction entry, out RuntimeFunction found)
    {
        found = entry;
        for (int i = 0; i < RuntimeFunction.ChainLimit; i++)
        {
            if ((found.Info & Indirect) == 0)
                return true;
            if (RuntimeFunction.At(Read, found.Info & ~Indirect) is not { } next)
                return false;
            found = next;
        }
        return false;
    }
}
