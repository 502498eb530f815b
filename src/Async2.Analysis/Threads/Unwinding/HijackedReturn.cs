using System.Buffers.Binary;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>
/// A return address that the runtime has replaced. To stop a thread, it lets the method return to code of its own (coreclr, threadsuspend.cpp, HijackThread), and keeps the
/// true address in the thread (threads.h, m_pvHJRetAddr and, behind it, m_ppvHJRetAddrPtr). The data access library knows nothing of it: for it the stack ends there.
/// </summary>
/// <param name="Place">Where the address is on the stack.</param>
/// <param name="Address">The true one.</param>
internal readonly record struct HijackedReturn(ulong Place, ulong Address)
{
    // TS_Hijacked of threads.h.
    private const uint Hijacked = 0x80;

    // The two fields are in the first half of a Thread, whose size differs between versions.
    private const int Searched = 1024;
    private const ulong StackLimit = 1ul << 30;

    /// <summary>Whether a thread has one.</summary>
    public static bool IsIn(ClrThread thread) => ((uint)thread.State & Hijacked) != 0;

    /// <summary>That of a thread of x64 which has one; null if it is not found.</summary>
    /// <param name="target">The target.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="stack">Its stack pointer.</param>
    public static HijackedReturn? Of(Target target, ClrThread thread, ulong stack)
    {
        Span<byte> fields = stackalloc byte[Searched];
        if (!target.Memory.TryRead(thread.Address, fields))
            return null;
        for (int at = sizeof(ulong); at < Searched; at += sizeof(ulong))
        {
            ulong address = BinaryPrimitives.ReadUInt64LittleEndian(fields[(at - sizeof(ulong))..]);
            ulong place = BinaryPrimitives.ReadUInt64LittleEndian(fields[at..]);
            // Who has just returned has left the place behind.
            if (place % sizeof(ulong) == 0 && place >= stack - sizeof(ulong) && place - stack + sizeof(ulong) < StackLimit
                && target.Runtime.GetMethodByInstructionPointer(address) is not null && CallSite.IsBefore(address, target.Memory.TryRead))
                return new(place, address);
        }
        return null;
    }
}
