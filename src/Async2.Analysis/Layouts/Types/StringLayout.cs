using System.Text;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Layouts.Types;

/// <summary>Strings of coreclr (src/coreclr/vm/object.h, StringObject): method table, 32-bit length, UTF-16 characters.</summary>
internal static class StringLayout
{
    /// <summary>The text, cut at a limit; null if it is unreadable. Escape it before printing.</summary>
    public static string? Read(TargetMemory memory, ulong address, int limit)
    {
        ulong length = address + (ulong)memory.PointerSize;
        if (!memory.TryReadUInt32(length, out uint count))
            return null;
        byte[] bytes = new byte[2 * (int)Math.Min(count, (uint)limit)];
        return memory.TryRead(length + sizeof(uint), bytes) ? Encoding.Unicode.GetString(bytes) : null;
    }
}
