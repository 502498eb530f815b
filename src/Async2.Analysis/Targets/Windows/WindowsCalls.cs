using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Windows;

/// <summary>Windows calls about other processes (processthreadsapi.h, memoryapi.h, psapi.h, winternl.h). All are in Windows since version 7.</summary>
[SupportedOSPlatform("windows")]
internal static unsafe partial class WindowsCalls
{
    /// <summary>GetLastError: ERROR_ACCESS_DENIED, ERROR_INVALID_PARAMETER (of OpenProcess: no process has the id).</summary>
    public const int AccessDenied = 5, InvalidParameter = 87;

    /// <summary>Access rights to a process (winnt.h).</summary>
    public const uint SuspendResume = 0x0800, QueryInformation = 0x0400, QueryLimited = 0x1000, ReadMemory = 0x0010, WriteMemory = 0x0020, Synchronize = 0x0010_0000;

    /// <summary>Access rights to a thread: THREAD_GET_CONTEXT, THREAD_QUERY_LIMITED_INFORMATION.</summary>
    public const uint GetContext = 0x0008, QueryThread = 0x0800;

    /// <summary>DEBUG_PROCESS_ASSIGN, what a debug object has to permit to attach it to a process and to remove it (ntdbg.h).</summary>
    public const uint AssignProcess = 2;

    [LibraryImport("kernel32", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial SafeProcessHandle OpenProcess(uint access, int inherit, int pid);

    [LibraryImport("kernel32", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int ReadProcessMemory(SafeProcessHandle process, nuint address, void* buffer, nuint bytes, nuint* read);

    [LibraryImport("kernel32", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial nuint VirtualQueryEx(SafeProcessHandle process, nuint address, RegionInformation* region, nuint bytes);

    [LibraryImport("kernel32", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial nint VirtualAlloc(nint address, nuint bytes, uint kind, uint protection);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int VirtualFree(nint address, nuint bytes, uint kind);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial uint WaitForSingleObject(SafeProcessHandle process, uint milliseconds);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int GetProcessTimes(SafeProcessHandle process, out long created, out long ended, out long kernel, out long user);

    /// <summary>How long the processor has worked for the calling thread; null if unknown.</summary>
    public static TimeSpan? ProcessorTimeOfThisThread
    {
        get
        {
            // GetCurrentThread
            const nint thisThread = -2;
            return GetThreadTimes(thisThread, out _, out _, out long kernel, out long user) != 0 ? TimeSpan.FromTicks(kernel + user) : null;
        }
    }

    /// <summary>Whether a pipe of this name exists. Neither opens it nor waits for it.</summary>
    public static bool HasPipe(string path)
    {
        // ERROR_SEM_TIMEOUT: all of it are in use.
        const int inUse = 121;
        return WaitNamedPipeW(path, 1) != 0 || Marshal.GetLastPInvokeError() == inUse;
    }

    [LibraryImport("kernel32", StringMarshalling = StringMarshalling.Utf16)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int QueryFullProcessImageNameW(SafeProcessHandle process, int flags, char* path, ref int length);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int IsWow64Process(SafeProcessHandle process, out int isWow64);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int CheckRemoteDebuggerPresent(SafeProcessHandle process, out int isPresent);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int K32EnumProcessModulesEx(SafeProcessHandle process, nint* modules, uint bytes, out uint needed, uint filter);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial uint K32GetModuleFileNameExW(SafeProcessHandle process, nint module, char* path, uint length);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial uint K32GetMappedFileNameW(SafeProcessHandle process, nuint address, char* path, uint length);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int K32GetProcessMemoryInfo(SafeProcessHandle process, nuint* counters, uint bytes);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial uint GetThreadId(nint thread);

    [LibraryImport("kernel32", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int GetThreadContext(nint thread, byte* context);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int CloseHandle(nint handle);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int GlobalMemoryStatusEx(ulong* status);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial uint GetFinalPathNameByHandleW(SafeFileHandle file, char* path, uint length, uint flags);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int K32EnumProcesses(uint* pids, uint bytes, out uint used);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int GetExitCodeProcess(SafeProcessHandle process, out uint code);

    [LibraryImport("ntdll")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int NtCreateDebugObject(out nint handle, uint access, void* attributes, uint flags);

    [LibraryImport("ntdll")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int NtDebugActiveProcess(SafeProcessHandle process, nint debugObject);

    [LibraryImport("ntdll")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int NtRemoveProcessDebug(SafeProcessHandle process, nint debugObject);

    [LibraryImport("ntdll")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int NtGetNextThread(SafeProcessHandle process, nint thread, uint access, uint attributes, uint flags, out nint next);

    [LibraryImport("ntdll")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int NtQueryInformationThread(nint thread, int kind, void* information, uint bytes, uint* needed);

    [LibraryImport("ntdll")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int NtQueryInformationProcess(SafeProcessHandle process, int kind, void* information, uint bytes, uint* needed);

    [LibraryImport("advapi32", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int OpenProcessToken(SafeProcessHandle process, uint access, out SafeAccessTokenHandle token);

    [LibraryImport("advapi32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int GetTokenInformation(SafeAccessTokenHandle token, int kind, void* information, uint bytes, uint* needed);

    [LibraryImport("advapi32", StringMarshalling = StringMarshalling.Utf16)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int LookupPrivilegeValueW(string? system, string name, out long id);

    [LibraryImport("advapi32", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int AdjustTokenPrivileges(SafeAccessTokenHandle token, int disableAll, void* state, uint bytes, void* before, uint* needed);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial int GetThreadTimes(nint thread, out long created, out long ended, out long kernel, out long user);

    [LibraryImport("kernel32", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial int WaitNamedPipeW(string path, uint milliseconds);
}

/// <summary>MEMORY_BASIC_INFORMATION of 64-bit Windows: pages in a row with the same state.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly struct RegionInformation
{
    public readonly ulong Start;
    public readonly ulong AllocationStart;
    public readonly uint AllocationProtection;
    private readonly uint _partition;
    public readonly ulong Length;
    public readonly uint State;
    public readonly uint Protection;
    public readonly uint Kind;
    private readonly uint _padding;
}
