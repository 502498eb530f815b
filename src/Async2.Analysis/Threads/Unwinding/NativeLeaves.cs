using System.Runtime.InteropServices;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>
/// Threads whose stacks the data access library cannot follow alone: those whose return address the runtime has replaced, and those that stand in native code of which it has noted no caller. The latter are in cooperative mode (threads.h, m_fPreemptiveGCDisabled): every other call of
/// native code is noted.
/// </summary>
/// <param name="target">The target.</param>
internal sealed class NativeLeaves(Target target) : IDisposable
{
    private readonly NativeCallers _callers = new(target);

    private bool CanFollow => target.Architecture == Architecture.X64 && (target.Runtime.DataTarget.DataReader.TargetPlatform == OSPlatform.Linux || target.Runtime.DataTarget.DataReader.TargetPlatform == OSPlatform.Windows);

    /// <summary>Makes the thread's stack begin at the managed code that called native code, where that is needed. To be asked before anybody uses its frames.</summary>
    /// <returns>True if managed frames of the thread are missing.</returns>
    public bool IsLost(ClrThread thread)
    {
        bool isCut = HijackedReturn.IsIn(thread) && !ShowsTrueReturn(thread);
        return IsLostInNative(thread) || isCut;
    }

    public void Dispose() => _callers.Dispose();

    private bool IsLostInNative(ClrThread thread)
    {
        if (thread.GCMode != GCMode.Cooperative || ThreadContexts.InstructionPointerOf(target, thread) is not { } instruction
            || IsInManagedCode(thread, instruction))
            return false;
        byte[] context = new byte[ThreadContexts.Size];
        if (!CanFollow || !ThreadContexts.TryReadX64(target, thread, context, out _))
            return !HasManagedFrames(thread);
        NativeFrame? caller = _callers.Find(context, out bool isWhole);
        if (caller is null)
            return !isWhole && !HasManagedFrames(thread);
        caller.Fill(context);
        if (!target.TryPutCaller(thread.OSThreadId, context))
            return true;
        PhysicalStack.BeginAtCaller(thread);
        return false;
    }

    private bool ShowsTrueReturn(ClrThread thread)
        => ThreadContexts.TryReadX64(target, thread, new byte[ThreadContexts.Size], out ulong stack) && HijackedReturn.Of(target, thread, stack) is { } hijacked
            && target.TryPutWord(hijacked.Place, hijacked.Address);

    // The few instructions that lead to a method, which may be native code, go by its name, too (coreclr, precode.h): no frame begins there.
    private bool IsInManagedCode(ClrThread thread, ulong instruction)
        => target.Runtime.GetMethodByInstructionPointer(instruction) is not null
            && PhysicalStack.Of(thread).Frames.Any(frame => frame.Kind == ClrStackFrameKind.ManagedMethod && frame.InstructionPointer == instruction);

    private static bool HasManagedFrames(ClrThread thread) => PhysicalStack.Of(thread).Frames.Any(frame => frame.Method is not null);
}
