using System.Runtime.InteropServices;
using System.Text;

namespace Async2.Dump.Cli;

/// <summary>Processes as Linux has them. <c>System.Diagnostics.Process</c> takes as long to load as a reader to start.</summary>
internal static unsafe partial class NativeProcess
{
    public const int SIGKILL = 9;
    public const int SIGTERM = 15;
    private const int PR_SET_PDEATHSIG = 1;
    private const int O_WRONLY = 1;
    private const int EINTR = 4;
    private const int SignalBase = 128;
    private const int Unknown = -1;

    /// <summary>Starts a program with this one's own inputs and outputs.</summary>
    /// <param name="program">Full path.</param>
    /// <param name="arguments">Without the program itself.</param>
    /// <param name="variables">Added to this process's own variables, which stay as they are: <c>NAME=value</c>.</param>
    /// <returns>Its process id, or 0 when it could not be started.</returns>
    public static int Start(string program, IEnumerable<string> arguments, IEnumerable<string> variables)
    {
        List<byte[]> words = [Text(program), .. arguments.Select(Text)], environment = [.. OwnVariables(), .. variables.Select(Text)];
        fixed (byte* path = words[0])
        {
            byte** argv = Pointers(words), envp = Pointers(environment);
            int error = Spawn(out int pid, path, null, null, argv, envp);
            NativeMemory.Free(argv);
            NativeMemory.Free(envp);
            return error == 0 ? pid : 0;
        }
    }

    /// <summary>Waits for the end of a child; its exit code as a shell gives it, 128 and more for signals.</summary>
    public static int Wait(int pid)
    {
        int status, result;
        do
            result = WaitPid(pid, out status, 0);
        while (result < 0 && Marshal.GetLastPInvokeError() == EINTR);
        if (result < 0)
            return Unknown;
        int signal = status & 0x7f;
        return signal == 0 ? status >> 8 & 0xff : SignalBase + signal;
    }

    /// <summary>Has the kernel end this process when its parent ends; false when the parent is another one already.</summary>
    public static bool EndWith(int parent)
    {
        _ = Prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        return GetParent() == parent;
    }

    /// <summary>Has an open file lead nowhere.</summary>
    public static void Silence(int file)
    {
        if (Open("/dev/null", O_WRONLY) is var nowhere and >= 0)
            _ = Duplicate(nowhere, file);
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Signal(int pid, int signal);

    // As bytes: what is no UTF-8 has to arrive unchanged.
    private static IEnumerable<byte[]> OwnVariables()
    {
        byte[] all = File.ReadAllBytes("/proc/self/environ");
        for (int start = 0, end; start < all.Length; start = end + 1)
        {
            end = Array.IndexOf(all, (byte)0, start);
            end = end < 0 ? all.Length : end;
            yield return [.. all.AsSpan(start, end - start), 0];
        }
    }

    private static byte[] Text(string text) => [.. Encoding.UTF8.GetBytes(text), 0];

    // One block: first the pointers, null at the end, then what they point to.
    private static byte** Pointers(List<byte[]> texts)
    {
        int head = (texts.Count + 1) * sizeof(byte*), used = head;
        byte* block = (byte*)NativeMemory.Alloc((nuint)(head + texts.Sum(text => text.Length)));
        byte** pointers = (byte**)block;
        for (int i = 0; i < texts.Count; used += texts[i++].Length)
        {
            pointers[i] = block + used;
            texts[i].CopyTo(new Span<byte>(block + used, texts[i].Length));
        }
        pointers[texts.Count] = null;
        return pointers;
    }

    [LibraryImport("libc", EntryPoint = "posix_spawn")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Spawn(out int pid, byte* path, void* fileActions, void* attributes, byte** argv, byte** envp);

    [LibraryImport("libc", EntryPoint = "waitpid", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int WaitPid(int pid, out int status, int options);

    [LibraryImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Prctl(int option, nuint a, nuint b, nuint c, nuint d);

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
