using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Layouts.Types;

/// <summary>The first pointer of an object. The GC uses its low bits as marks while it works (coreclr, gcobject).</summary>
internal static class MethodTables
{
    private const ulong MarkBits = 7;

    /// <summary>m_pParentMethodTable in a method table of 64-bit coreclr 10.0.12 (src/coreclr/vm/methodtable.h).</summary>
    public const int Parent = 0x10;

    public static bool TryRead(TargetMemory memory, ulong address, out ulong methodTable)
    {
        bool read = memory.TryReadPointer(address, out methodTable);
        methodTable &= ~MarkBits;
        return read && methodTable != 0;
    }
}
