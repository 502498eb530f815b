using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Reachability;

/// <summary>
/// Objects that the registers and the stack of a thread may refer to, word by word. Where a thread was interrupted anywhere in managed code,
/// nothing says exactly what its innermost frame still needs: whatever looks like a reference is one.
/// </summary>
internal sealed class StackWords(Target target, MarkHeap heap)
{
    // CONTEXT of winnt.h for x64; all of its words are looked at.
    private const int ContextSize = 1232;
    private const uint ContextFlags = 0x100003;

    // CONTEXT.Rsp.
    private const int StackPointer = 0x98;

    // The part below the stack pointer that a leaf method may use without moving it (System V ABI).
    private const ulong RedZone = 128;

    // A frame's slots lie above where it begins.
    private const ulong AboveFrames = 4096;
    private const ulong StackLimit = 64 << 20;

    /// <summary>False if not all of its stack could be read.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="add">Receives the objects' addresses.</param>
    public bool Read(ClrThread thread, Action<ulong> add)
    {
        byte[] context = new byte[ContextSize];
        if (target.Architecture != Architecture.X64 || !target.Runtime.DataTarget.DataReader.GetThreadContext(thread.OSThreadId, ContextFlags, context))
            return false;
        // Where the stack ends is known on Windows only (its TEB); the runtime's own outermost frame lies above all managed ones.
        ulong last = thread.EnumerateStackTrace().Aggregate(0UL, (highest, frame) => Math.Max(highest, frame.StackPointer));
        ulong from = (BinaryPrimitives.ReadUInt64LittleEndian(context.AsSpan(StackPointer)) - RedZone) & ~7UL;
        if (last <= from || last - from > StackLimit)
            return false;
        byte[] stack = new byte[last - from + AboveFrames];
        int read = target.Memory.ReadUpTo(from, stack);
        Add(context, add);
        Add(stack.AsSpan(0, read), add);
        return (ulong)read >= last - from;
    }

    // Old words lie around on stacks: where an object was before a collection moved it, there may be anything now.
    private void Add(ReadOnlySpan<byte> words, Action<ulong> add)
    {
        foreach (ulong word in MemoryMarshal.Cast<byte, ulong>(words[..(words.Length & ~7)]))
        {
            if (heap.Find(word) is not null && target.Runtime.Heap.FindPreviousObjectOnSegment((word & ~7UL) + sizeof(ulong)) is { IsValid: true, IsFree: false } item && item.Address + item.Size > word)
                add(item.Address);
        }
    }
}
