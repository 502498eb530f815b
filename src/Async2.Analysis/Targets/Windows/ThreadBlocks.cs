using System.Runtime.Versioning;

namespace Async2.Analysis.Targets.Windows;

/// <summary>Where Windows keeps what it knows of the threads of a process, their TEBs.</summary>
[SupportedOSPlatform("windows")]
internal static class ThreadBlocks
{
    // THREAD_BASIC_INFORMATION: ExitStatus, TebBaseAddress, ClientId (2), AffinityMask, Priority and BasePriority.
    private const int BasicInformation = 0, Words = 6, Block = 1;

    /// <summary>Their addresses by thread id.</summary>
    public static unsafe Dictionary<uint, ulong> Of(WindowsProcess process)
    {
        var blocks = new Dictionary<uint, ulong>();
        nint thread = 0;
        ulong* words = stackalloc ulong[Words];
        while (WindowsCalls.NtGetNextThread(process.Handle, thread, WindowsCalls.QueryThread, 0, 0, out nint next) == 0)
        {
            if (thread != 0)
                _ = WindowsCalls.CloseHandle(thread);
            thread = next;
            if (WindowsCalls.NtQueryInformationThread(thread, BasicInformation, words, Words * sizeof(ulong), null) == 0)
                blocks[WindowsCalls.GetThreadId(thread)] = words[Block];
        }
        if (thread != 0)
            _ = WindowsCalls.CloseHandle(thread);
        return blocks;
    }
}
