using System.Runtime.InteropServices;
using System.Text;

namespace Async2.Dump.Workers;

/// <summary>Linux processes. <c>System.Diagnostics.Process</c> takes as long to load as a worker to start.</summary>
internal static unsafe partial class NativeProcess
{
    public const int SIGKILL = 9;
    public const int SIGTERM = 15;

    /// <summary>The thread that asks, instead of its id.</summary>
    public const int ThisThread = 0;

    private const int PR_SET_PDEATHSIG = 1;
    private const int O_WRONLY = 1;
    private const int PRIO_PROCESS = 0;
    private const int SCHED_OTHER = 0;
    private const int SCHED_IDLE = 5;
    private const int Unknown = -1;
    private const int NoSignal = 0;
    private const int P_PID = 1;
    private const int WEXITED = 4;
    private const int WNOWAIT = 0x1000000;
    private const int SignalInfoSize = 128;

    /// <summary>Starts a program with this process's inputs and outputs.</summary>
    /// <param name="program">Full path.</param>
    /// <param name="arguments">Without the program itself.</param>
    /// <param name="variables">Added to this process's environment: <c>NAME=value</c>.</param>
    /// <returns>Its process id, or 0 if it could not be started.</returns>
    public static int Start(string program, string[] arguments, string[] variables)
    {
        if (!TryReadVariables(out byte[] own))
            return 0;
        byte** argv = Pointers([program, .. arguments], []), envp = Pointers(variables, own);
        int error = Spawn(out int pid, argv[0], null, null, argv, envp);
        NativeMemory.Free(argv);
        NativeMemory.Free(envp);
        return error == 0 ? pid : 0;
    }

    /// <summary>Waits for the end of a child, which keeps its pid until <see cref="Wait"/>.</summary>
    public static void WaitForEnd(int pid)
    {
        byte* info = stackalloc byte[SignalInfoSize];
        while (WaitId(P_PID, pid, info, WEXITED | WNOWAIT) != 0)
        {
            // A signal interrupted the call, or the child was already collected.
            if (Signal(pid, NoSignal) != 0)
                return;
        }
    }

    /// <summary>Waits for the end of a child; its exit code as a shell reports it, 128 and more for signals.</summary>
    public static int Wait(int pid)
    {
        int status;
        while (WaitPid(pid, out status, 0) != pid)
        {
            // A signal interrupted the call, or the child was already collected.
            if (Signal(pid, NoSignal) != 0)
                return Unknown;
        }
        int signal = status & 0x7f;
        return signal == 0 ? status >> 8 & 0xff : WorkerExit.By(signal).Code;
    }

    /// <summary>Asks the kernel to end this process when its parent ends; false if the parent is already another process.</summary>
    public static bool EndWith(int parent)
    {
        _ = Prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        return GetParent() == parent;
    }

    /// <summary>Makes the calling thread, and threads that it starts, less urgent than others (nice(2)); in vain where that is not permitted.</summary>
    public static void GiveWay(int niceness)
    {
        // On Linux the "process" 0 is the calling thread.
        _ = SetPriority(PRIO_PROCESS, 0, niceness);
    }

    /// <summary>Lets a thread have only processors that nobody else wants (SCHED_IDLE of sched(7)), or ends that; false where it is not permitted. Of threads that it starts, .NET makes usual ones, with its niceness.</summary>
    /// <param name="thread">One of this process; <see cref="ThisThread"/>.</param>
    /// <param name="isIdle">Begins it.</param>
    public static bool TryBeIdle(int thread, bool isIdle)
    {
        int noPriority = 0;
        return SetScheduler(thread, isIdle ? SCHED_IDLE : SCHED_OTHER, &noPriority) == 0;
    }

    /// <summary>Ids of the threads of this process.</summary>
    public static int[] OwnThreads()
    {
        try
        {
            return [.. Directory.EnumerateDirectories("/proc/self/task").Select(folder => int.TryParse(Path.GetFileName(folder), out int id) ? id : -1).Where(id => id > 0)];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>Redirects an open file to /dev/null.</summary>
    public static void RedirectToNull(int file)
    {
        if (Open("/dev/null", O_WRONLY) is var nowhere and >= 0)
            _ = Duplicate(nowhere, file);
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Signal(int pid, int signal);

    private static bool TryReadVariables(out byte[] variables)
    {
        try
        {
            variables = File.ReadAllBytes("/proc/self/environ");
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            variables = [];
            return false;
        }
    }

    // One block: first the pointers, null at the end, then what they point to. Strings end in 0 already, and may be invalid UTF-8.
    private static byte** Pointers(string[] texts, byte[] bytes)
    {
        int count = texts.Length + bytes.AsSpan().Count((byte)0), size = (count + 1) * sizeof(byte*) + bytes.Length;
        foreach (string text in texts)
            size += Encoding.UTF8.GetMaxByteCount(text.Length) + 1;
        byte** block = (byte**)NativeMemory.AllocZeroed((nuint)size);
        byte** next = block;
        byte* end = (byte*)(block + count + 1);
        foreach (string text in texts)
        {
            *next++ = end;
            end += Encoding.UTF8.GetBytes(text, new Span<byte>(end, Encoding.UTF8.GetMaxByteCount(text.Length))) + 1;
        }
        bytes.CopyTo(new Span<byte>(end, bytes.Length));
        for (int i = 0, start = 0; i < bytes.Length; i++)
        {
            if (bytes[i] != 0)
                continue;
            *next++ = end + start;
            start = i + 1;
        }
        return block;
    }

    [LibraryImport("libc", EntryPoint = "posix_spawn")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Spawn(out int pid, byte* path, void* fileActions, void* attributes, byte** argv, byte** envp);

    [LibraryImport("libc", EntryPoint = "waitpid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int WaitPid(int pid, out int status, int options);

    [LibraryImport("libc", EntryPoint = "waitid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int WaitId(int kind, int id, byte* info, int options);

    [LibraryImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Prctl(int option, nuint a, nuint b, nuint c, nuint d);

    [LibraryImport("libc", EntryPoint = "setpriority")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int SetPriority(int which, int who, int priority);

    [LibraryImport("libc", EntryPoint = "sched_setscheduler")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int SetScheduler(int thread, int policy, int* priority);

    [LibraryImport("libc", EntryPoint = "getppid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int GetParent();

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "dup2")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Duplicate(int from, int to);
}
