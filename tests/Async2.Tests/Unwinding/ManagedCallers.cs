using System.Buffers.Binary;
using Async2.Analysis.Targets;
using Async2.Analysis.Threads.Unwinding;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Unwinding;

/// <summary>Threads that are in native code just now, called by managed code that the runtime has noted nowhere.</summary>
internal static class ManagedCallers
{
    // Rsp and Rip in a CONTEXT.
    private const int Stack = 0x98, Instruction = 0xF8;

    /// <summary>That the managed code is found if a thread stands elsewhere, with the other registers of a frame.</summary>
    public static void IsFoundFrom(NativeFrame frame, ulong instruction, ulong stack, NativeFrame managed, NativeCallers callers)
    {
        byte[] context = new byte[ThreadContexts.Size];
        frame.Fill(context);
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(Stack), stack);
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(Instruction), instruction);
        Assert.Equal((managed.Instruction, managed.Stack), callers.Find(context, out _) is { } found ? (found.Instruction, found.Stack) : default);
    }

    /// <summary>The managed code; null if the thread is elsewhere.</summary>
    public static NativeFrame? Of(Target target, ClrThread thread, NativeCallers callers)
    {
        byte[] context = new byte[ThreadContexts.Size];
        return thread.GCMode == GCMode.Cooperative && ThreadContexts.TryReadX64(target, thread, context, out _)
            && target.Runtime.GetMethodByInstructionPointer(NativeFrame.Of(context).Instruction) is null ? callers.Find(context, out _) : null;
    }
}
