using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Windows;

/// <summary>
/// An open process of Windows. As long as it is open its id is not given to another process, so what is asked through it is always about the same one. Opened with
/// the debug privilege where this tool has it: services and processes of other users are read by who may debug them.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed unsafe class WindowsProcess : IDisposable
{
    private const uint Signalled = 0;
    private const uint StillActive = 259;
    private const int LongestPath = 32768;

    // Wine copies for one process at a time, and serves nobody meanwhile.
    private const long LargestPiece = 1 << 20;

    // LIST_MODULES_ALL
    private const uint AllModules = 3;

    // ProcessBasicInformation: ExitStatus, PebBaseAddress, AffinityMask, BasePriority, UniqueProcessId, InheritedFromUniqueProcessId.
    private const int BasicInformation = 0;
    private const int BasicWords = 6;
    private const int EnvironmentBlock = 1;
    private const int ParentId = 5;

    // winternl.h, 64 bits: PEB::ProcessParameters; RTL_USER_PROCESS_PARAMETERS::CommandLine, a UNICODE_STRING.
    private const int ParametersAt = 0x20;
    private const int CommandLineAt = 0x70;
    private const int TextAt = 8;

    private WindowsProcess(int pid, SafeProcessHandle handle) => (Pid, Handle) = (pid, handle);

    /// <summary>Its id.</summary>
    public int Pid { get; }

    /// <summary>For calls.</summary>
    public SafeProcessHandle Handle { get; }

    /// <summary>Opens a process to read it.</summary>
    /// <exception cref="InvalidOperationException">It has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static WindowsProcess Open(int pid) => TryOpen(pid, WindowsCalls.QueryInformation | WindowsCalls.ReadMemory | WindowsCalls.Synchronize, out int error)
        ?? throw (error == WindowsCalls.InvalidParameter ? new InvalidOperationException("The process has exited.") : new UnauthorizedAccessException());

    /// <summary>Opens a process for something; null if that is not possible.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="access">The rights that are needed.</param>
    /// <param name="error">Why not, an error of winerror.h.</param>
    public static WindowsProcess? TryOpen(int pid, uint access, out int error)
    {
        DebugPrivilege.Enable();
        SafeProcessHandle handle = WindowsCalls.OpenProcess(access, 0, pid);
        error = Marshal.GetLastPInvokeError();
        if (!handle.IsInvalid)
            return new(pid, handle);
        handle.Dispose();
        return null;
    }

    /// <summary>Ids of all processes of this machine.</summary>
    public static IEnumerable<int> Ids()
    {
        uint[] pids = new uint[1024];
        uint used;
        while (true)
        {
            fixed (uint* start = pids)
            {
                if (WindowsCalls.K32EnumProcesses(start, (uint)(pids.Length * sizeof(uint)), out used) == 0)
                    return [];
            }
            if (used < pids.Length * sizeof(uint))
                return [.. pids.Take((int)(used / sizeof(uint))).Select(pid => (int)pid).Where(pid => pid > 0)];
            pids = new uint[pids.Length * 2];
        }
    }

    /// <summary>It has ended: nothing of it can be read any more.</summary>
    public bool HasEnded => WindowsCalls.WaitForSingleObject(Handle, 0) == Signalled;

    /// <summary>The same without the right to wait for it. A program may end with the very code that stands for running ones (259), and be taken for one.</summary>
    public bool HasExitCode => WindowsCalls.GetExitCodeProcess(Handle, out uint code) != 0 && code != StillActive;

    /// <summary>A 32-bit program on 64-bit Windows.</summary>
    public bool IsWow64 => WindowsCalls.IsWow64Process(Handle, out int isWow64) != 0 && isWow64 != 0;

    /// <summary>A debugger is attached to it.</summary>
    public bool IsDebugged => WindowsCalls.CheckRemoteDebuggerPresent(Handle, out int isPresent) != 0 && isPresent != 0;

    /// <summary>When it was started, in the file times of Windows; 0 if unknown.</summary>
    public long Started => WindowsCalls.GetProcessTimes(Handle, out long created, out _, out _, out _) != 0 ? created : 0;

    /// <summary>Path of its program; null if unknown.</summary>
    public string? Program
    {
        get
        {
            char[] path = new char[LongestPath];
            int length = path.Length;
            fixed (char* start = path)
                return WindowsCalls.QueryFullProcessImageNameW(Handle, 0, start, ref length) != 0 ? new string(start, 0, length) : null;
        }
    }

    /// <summary>Who started it, be that one alive or not; null if unknown.</summary>
    public int? Parent => BasicWord(ParentId) is > 0 and <= int.MaxValue and var parent ? (int)parent : null;

    /// <summary>Its command line as it was given, in one text; null if it cannot be read.</summary>
    public string? CommandLine
    {
        get
        {
            if (!TryRead(BasicWord(EnvironmentBlock) + ParametersAt, out ulong parameters) || !TryRead(parameters + CommandLineAt, out ushort bytes) || !TryRead(parameters + CommandLineAt + TextAt, out ulong text))
                return null;
            char[] letters = new char[bytes / sizeof(char)];
            fixed (char* start = letters)
                return Read(text, start, bytes / sizeof(char) * sizeof(char)) == bytes / sizeof(char) * sizeof(char) ? new string(letters) : null;
        }
    }

    /// <summary>Bytes of its memory that are in the machine's; null if unknown.</summary>
    public long? ResidentBytes
    {
        get
        {
            // PROCESS_MEMORY_COUNTERS: two numbers of 32 bits, then the greatest and the current size of the working set.
            const int words = 9, current = 2;
            nuint* counters = stackalloc nuint[words];
            *(uint*)counters = words * (uint)sizeof(nuint);
            return WindowsCalls.K32GetProcessMemoryInfo(Handle, counters, words * (uint)sizeof(nuint)) != 0 ? (long)counters[current] : null;
        }
    }

    /// <summary>Reads memory; returns the number of bytes before the first that cannot be read.</summary>
    public long Read(ulong address, void* buffer, long bytes)
    {
        for (long done = 0; done < bytes;)
        {
            nuint piece = (nuint)Math.Min(bytes - done, LargestPiece), read = 0;
            if (WindowsCalls.ReadProcessMemory(Handle, (nuint)address + (nuint)done, (byte*)buffer + done, piece, &read) == 0)
                return done + (long)read;
            done += (long)piece;
        }
        return bytes;
    }

    /// <summary>Libraries that it has loaded, by address: where each begins, and its path.</summary>
    public List<(ulong Start, string Path)> Modules()
    {
        nint[] all = new nint[1024];
        uint needed;
        while (true)
        {
            fixed (nint* start = all)
            {
                if (WindowsCalls.K32EnumProcessModulesEx(Handle, start, (uint)(all.Length * sizeof(nint)), out needed, AllModules) == 0)
                    return [];
            }
            if (needed <= all.Length * sizeof(nint))
                break;
            all = new nint[needed / (uint)sizeof(nint) * 2];
        }
        var modules = new List<(ulong, string)>();
        char[] path = new char[LongestPath];
        fixed (char* text = path)
        {
            foreach (nint module in all.AsSpan(0, (int)needed / sizeof(nint)))
            {
                if (WindowsCalls.K32GetModuleFileNameExW(Handle, module, text, LongestPath) is > 0 and var length)
                    modules.Add(((ulong)module, new string(text, 0, (int)length)));
            }
        }
        modules.Sort();
        return modules;
    }

    /// <inheritdoc/>
    public void Dispose() => Handle.Dispose();

    private bool TryRead<T>(ulong address, out T value)
        where T : unmanaged
    {
        T found = default;
        bool isWhole = address > ushort.MaxValue && Read(address, &found, sizeof(T)) == sizeof(T);
        value = found;
        return isWhole;
    }

    private ulong BasicWord(int index)
    {
        ulong* words = stackalloc ulong[BasicWords];
        return WindowsCalls.NtQueryInformationProcess(Handle, BasicInformation, words, BasicWords * sizeof(ulong), null) == 0 ? words[index] : 0;
    }
}
