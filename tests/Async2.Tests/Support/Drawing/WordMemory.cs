using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets.Memory;

namespace Async2.Tests.Support.Drawing;

/// <summary>A target's memory that is drawn word by word: 8 bytes at each address that was written; all else is a hole.</summary>
internal sealed class WordMemory : MemoryReader
{
    private readonly Dictionary<ulong, ulong> _words = [];

    public override int PointerSize => 8;

    /// <summary>Words one after another, the first at an address that 8 divides.</summary>
    public WordMemory Write(ulong address, params ulong[] words)
    {
        for (int i = 0; i < words.Length; i++)
            _words[address + (ulong)(8 * i)] = words[i];
        return this;
    }

    public HeapObject At(ulong address) => new(new TargetMemory(this), address);

    public override int Read(ulong address, Span<byte> buffer)
    {
        int count = 0;
        while (count < buffer.Length && _words.TryGetValue((address + (ulong)count) & ~7ul, out ulong word))
        {
            buffer[count] = (byte)(word >> (int)(8 * ((address + (ulong)count) & 7)));
            count++;
        }
        return count;
    }
}
