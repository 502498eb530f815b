using System.Runtime.InteropServices;
using Async2.Analysis.Targets;
using Async2.Analysis.Threads.Unwinding;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Reachability;

/// <summary>
/// Objects that the registers and the stack of a thread may refer to, word by word. Where a thread was interrupted anywhere in managed code,
/// nothing says exactly what its innermost frame still needs: whatever looks like a reference is one.
/// </summary>
internal sealed class StackWords(Target target, HeapObjects objects)
{
    // The part below the stack pointer that a leaf method may use without moving it (System V ABI).
    private const ulong RedZone = 128;
    private const ulong StackLimit = 64 << 20;

    // How much of coreclr's Thread is looked at, and how far below its innermost frame a stack may end.
    private const int ThreadBytes = 2048;
    private const ulong RoomLimit = 16UL << 30;

    /// <summary>False if not all of its stack could be read.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="add">Receives the objects' addresses.</param>
    public bool Read(ClrThread thread, Action<ulong> add)
    {
        byte[] context = new byte[ThreadContexts.Size];
        if (!ThreadContexts.TryReadX64(target, thread, context, out ulong stackPointer))
            return false;
        ulong from = (stackPointer - RedZone) & ~7UL, to = BaseOf(thread, from);
        if (to <= from || to - from > StackLimit)
            return false;
        byte[] stack = new byte[to - from];
        bool isWhole = target.Memory.ReadUpTo(from, stack) == stack.Length;
        Add(context, add);
        Add(stack, add);
        return isWhole;
    }

    // The TEB of Windows has it; elsewhere coreclr keeps it side by side with the other end (threads.h, m_CacheStackBase and m_CacheStackLimit, .NET 5 to 11),
    // and no contract says where.
    private ulong BaseOf(ClrThread thread, ulong innermost)
    {
        ulong highest = Math.Max(thread.StackBase, thread.StackLimit);
        if (highest != 0)
            return highest;
        byte[] bytes = new byte[ThreadBytes];
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes.AsSpan(0, target.Memory.ReadUpTo(thread.Address, bytes) & ~7));
        for (int i = 0; i + 1 < words.Length; i++)
        {
            ulong end = words[i], limit = words[i + 1];
            if (end % sizeof(ulong) == 0 && end > innermost && end - innermost <= StackLimit && limit < innermost && innermost - limit <= RoomLimit)
                highest = Math.Max(highest, end);
        }
        return highest;
    }

    private void Add(ReadOnlySpan<byte> words, Action<ulong> add)
    {
        foreach (ulong word in MemoryMarshal.Cast<byte, ulong>(words[..(words.Length & ~7)]))
            add(objects.At(word));
    }
}
