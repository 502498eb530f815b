using Async2.Analysis.Targets.Elf;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>
/// The code that finds an object's method when an interface is called (coreclr, virtualcallstubcpu.hpp, ResolveStub and LookupStub; virtualcallstubamd64.S,
/// ResolveWorkerChainLookupAsmStub). It keeps up to two registers on the stack, above the address to which the method will return. Nothing says so: the runtime writes most of it itself, and what
/// describes the rest speaks of code that keeps nothing.
/// </summary>
internal static class MethodSearch
{
    private const int MostKept = 2;

    /// <summary>Managed code that called an interface, for a thread that may be in this code; null if it is not.</summary>
    /// <param name="frame">Has called nothing.</param>
    /// <param name="isManaged">Whether a frame is one of managed code.</param>
    /// <param name="read">Reads memory.</param>
    public static NativeFrame? CallerOf(NativeFrame frame, Func<NativeFrame, bool> isManaged, ElfRead read)
    {
        for (int kept = 1; kept <= MostKept; kept++)
        {
            // What is kept may be the address of a method, too, but not one behind a call.
            if (frame.CallerOfLeaf(read, kept) is { } caller && isManaged(caller) && CallSite.IsBefore(caller.Instruction, read))
                return caller;
        }
        return null;
    }
}
