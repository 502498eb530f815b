using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets;
using Async2.Analysis.Threads.Unwinding;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Threads;

/// <summary>
/// Tells whether a thread stood in a call of the operating system. The kernel returns behind the instruction that called it, so a thread that is
/// inside stands there: <c>0F 05</c> before the instruction pointer on x64, <c>svc #0</c> on arm64.
/// </summary>
internal static class SystemCalls
{
    private const ushort Syscall = 0x050F;
    private const uint Svc = 0xD4000001;

    /// <summary>False also where registers or code are not in the target.</summary>
    public static bool IsIn(Target target, ClrThread thread)
    {
        if (ThreadContexts.InstructionPointerOf(target, thread) is not { } next)
            return false;
        bool isX64 = target.Architecture == Architecture.X64;
        Span<byte> code = stackalloc byte[isX64 ? sizeof(ushort) : sizeof(uint)];
        return target.Runtime.DataTarget.DataReader.Read(next - (ulong)code.Length, code) == code.Length
            && (isX64 ? BinaryPrimitives.ReadUInt16LittleEndian(code) == Syscall : BinaryPrimitives.ReadUInt32LittleEndian(code) == Svc);
    }
}
