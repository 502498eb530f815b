using System.Runtime.InteropServices;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>One captured native frame, as its struct says.</summary>
/// <param name="Next">The caller's; 0 of the outermost.</param>
/// <param name="Prev">The callee's; 0 of the innermost, or where the layout has none.</param>
/// <param name="NextInList">In the list of live ones.</param>
/// <param name="RestoreIP">The address behind its call.</param>
/// <param name="StackData">The captured bytes.</param>
/// <param name="Info">What they mean.</param>
/// <param name="ReturnType">Kind of result; 0 where the layout does not say.</param>
/// <param name="Generation">The youngest generation it refers to; 0 where the layout does not say.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct TaskletRow(
    ulong Next, ulong Prev, ulong NextInList, ulong RestoreIP, ulong StackData, ulong Info, int ReturnType, int Generation);

/// <summary>What the captured bytes of a frame mean: offsets in them, and how many there are.</summary>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct TaskletFrame(
    uint Requirement, uint Unrecorded, uint DataSize, uint ReturnSlot, uint ByRefCount, uint ObjectRefCount, uint ArgumentBytes,
    ulong ByRefs, ulong ObjectRefs, ulong Registers)
{
    /// <summary>Bytes that offsets may lie in.</summary>
    public ulong Extent => (ulong)Unrecorded + DataSize;
}
