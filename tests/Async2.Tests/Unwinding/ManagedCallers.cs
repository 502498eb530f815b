using Async2.Analysis.Targets;
using Async2.Analysis.Threads.Unwinding;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Unwinding;

/// <summary>Threads that are in native code just now, called by managed code that the runtime has noted nowhere.</summary>
internal static class ManagedCallers
{
    /// <summary>The managed code; null if the thread is elsewhere.</summary>
    public static NativeFrame? Of(Target target, ClrThread thread, NativeCallers callers)
    {
        byte[] context = new byte[ThreadContexts.Size];
        return thread.GCMode == GCMode.Cooperative && ThreadContexts.TryReadX64(target, thread, context, out _)
            && target.Runtime.GetMethodByInstructionPointer(NativeFrame.Of(context).Instruction) is null ? callers.Find(context, out _) : null;
    }
}
