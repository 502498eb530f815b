using Async2.Analysis.Targets;

namespace Async2.Analysis.Layouts;

/// <summary>The first pointer of an object. The GC uses its low bits as marks while it works (coreclr, gcobject).</summary>
internal static class MethodTables
{
    private const ulong MarkBits = 7;

    public static bool TryRead(TargetMemory memory, ulong address, out ulong methodTable)
    {
        bool read = memory.TryReadPointer(address, out methodTable);
        methodTable &= ~MarkBits;
        return read && methodTable != 0;
    }
}
