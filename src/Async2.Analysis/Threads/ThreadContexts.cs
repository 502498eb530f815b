using System.Runtime.InteropServices;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Threads;

/// <summary>Tells whether the registers of a thread are in the target. Without them it has no frames, like one that is idle.</summary>
internal static class ThreadContexts
{
    // CONTEXT of winnt.h: its size, and CONTEXT_CONTROL | CONTEXT_INTEGER of the processor.
    private const int X64Size = 1232;
    private const uint X64Flags = 0x100003;
    private const int Arm64Size = 912;
    private const uint Arm64Flags = 0x400003;

    /// <summary>True also for a processor that is not known.</summary>
    public static bool Has(Target target, ClrThread thread)
    {
        IDataReader reader = target.Runtime.DataTarget.DataReader;
        return reader.Architecture switch
        {
            Architecture.X64 => reader.GetThreadContext(thread.OSThreadId, X64Flags, stackalloc byte[X64Size]),
            Architecture.Arm64 => reader.GetThreadContext(thread.OSThreadId, Arm64Flags, stackalloc byte[Arm64Size]),
            _ => true,
        };
    }
}
