using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Threads;

/// <summary>
/// Tells whether a thread stood in a call of the operating system. The kernel returns behind the instruction that called it, so a thread that is
/// inside stands there: <c>0F 05</c> before the instruction pointer on x64, <c>svc #0</c> on arm64.
/// </summary>
internal static class SystemCalls
{
    // CONTEXT of winnt.h: its size, CONTEXT_CONTROL of the processor, Rip and Pc.
    private const int X64Size = 1232;
    private const uint X64Flags = 0x100001;
    private const int Rip = 0xF8;
    private const int Arm64Size = 912;
    private const uint Arm64Flags = 0x400001;
    private const int Pc = 0x108;

    private const ushort Syscall = 0x050F;
    private const uint Svc = 0xD4000001;

    /// <summary>False also where registers or code are not in the target.</summary>
    public static bool IsIn(Target target, ClrThread thread)
    {
        IDataReader reader = target.Runtime.DataTarget.DataReader;
        Span<byte> context = stackalloc byte[X64Size], code = stackalloc byte[sizeof(uint)];
        switch (reader.Architecture)
        {
            case Architecture.X64 when reader.GetThreadContext(thread.OSThreadId, X64Flags, context):
                return reader.Read(BinaryPrimitives.ReadUInt64LittleEndian(context[Rip..]) - sizeof(ushort), code[..sizeof(ushort)]) == sizeof(ushort)
                    && BinaryPrimitives.ReadUInt16LittleEndian(code) == Syscall;
            case Architecture.Arm64 when reader.GetThreadContext(thread.OSThreadId, Arm64Flags, context[..Arm64Size]):
                return reader.Read(BinaryPrimitives.ReadUInt64LittleEndian(context[Pc..]) - sizeof(uint), code) == sizeof(uint)
                    && BinaryPrimitives.ReadUInt32LittleEndian(code) == Svc;
            default:
                return false;
        }
    }
}
