using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>The registers of threads, as far as the target has them: CONTEXT of winnt.h. Without them a thread has no frames, like one that is idle.</summary>
internal static class ThreadContexts
{
    /// <summary>Bytes of a CONTEXT of x64, which is the largest.</summary>
    public const int Size = 1232;

    // Rip and Rsp.
    private const int X64Instruction = 0xF8;
    private const int X64Stack = 0x98;

    // CONTEXT_CONTROL | CONTEXT_INTEGER of the processor.
    private const uint X64Flags = 0x100003;
    private const uint Arm64Flags = 0x400003;

    // Its size, and Pc.
    private const int Arm64Size = 912;
    private const int Arm64Instruction = 0x108;

    /// <summary>True also for a processor that is not known.</summary>
    public static bool Has(Target target, ClrThread thread) => !IsKnown(target) || Read(target, thread, stackalloc byte[Size]);

    /// <summary>Where a thread executes; null if that is not in the target, or the processor is not known.</summary>
    public static ulong? InstructionPointerOf(Target target, ClrThread thread)
    {
        Span<byte> context = stackalloc byte[Size];
        return IsKnown(target) && Read(target, thread, context)
            ? BinaryPrimitives.ReadUInt64LittleEndian(context[(target.Architecture == Architecture.X64 ? X64Instruction : Arm64Instruction)..]) : null;
    }

    /// <summary>All registers of a thread of an x64 process; false if they are not in the target.</summary>
    /// <param name="target">The target.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="context">Receives <see cref="Size"/> bytes.</param>
    /// <param name="stackPointer">Its stack pointer.</param>
    public static bool TryReadX64(Target target, ClrThread thread, Span<byte> context, out ulong stackPointer)
    {
        bool isRead = target.Architecture == Architecture.X64 && Read(target, thread, context);
        stackPointer = isRead ? BinaryPrimitives.ReadUInt64LittleEndian(context[X64Stack..]) : 0;
        return isRead;
    }

    private static bool IsKnown(Target target) => target.Architecture is Architecture.X64 or Architecture.Arm64;

    private static bool Read(Target target, ClrThread thread, Span<byte> context)
        => target.Architecture == Architecture.X64 ? target.TryReadRegisters(thread.OSThreadId, X64Flags, context) : target.TryReadRegisters(thread.OSThreadId, Arm64Flags, context[..Arm64Size]);
}
