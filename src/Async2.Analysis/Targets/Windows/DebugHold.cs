using System.Runtime.Versioning;

namespace Async2.Analysis.Targets.Windows;

/// <summary>
/// Holds all threads of a process by a debug object that is attached to it and never asked: attaching suspends each thread until its event is
/// answered, threads that are born meanwhile included. No thread is made in the process and no code runs in it, as with DebugActiveProcess. When the last handle of the object is closed, and
/// the system closes those of a process that is killed, the threads go on: the object is made without the flag that would end them
/// (docs/decisions/0060-held-by-a-debug-object.md). SuspendThread and NtSuspendProcess would leave them suspended for good.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed unsafe class DebugHold : IDisposable
{
    private readonly WindowsProcess _process;
    private readonly nint _object;

    private DebugHold(WindowsProcess process, nint debugObject) => (_process, _object) = (process, debugObject);

    /// <summary>Null if the process cannot be held: a debugger has it, or that is not permitted.</summary>
    /// <param name="process">Opened with SuspendResume.</param>
    public static DebugHold? TryTake(WindowsProcess process)
    {
        const uint keepAlive = 0;
        if (WindowsCalls.NtCreateDebugObject(out nint debugObject, WindowsCalls.AssignProcess, null, keepAlive) != 0)
            return null;
        if (WindowsCalls.NtDebugActiveProcess(process.Handle, debugObject) == 0)
            return new(process, debugObject);
        _ = WindowsCalls.CloseHandle(debugObject);
        return null;
    }

    /// <summary>Lets the threads go on.</summary>
    public void Dispose()
    {
        // Closing alone would do; removing says when it is done.
        _ = WindowsCalls.NtRemoveProcessDebug(_process.Handle, _object);
        _ = WindowsCalls.CloseHandle(_object);
    }
}
