using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Async2.Tests.Support.Programs;

/// <summary>What Linux tells about a running process, for tests that look at what the tool leaves behind.</summary>
internal static partial class ProcessFacts
{
    public static bool IsRoot => Environment.IsPrivilegedProcess;

    /// <summary>The id by which we know a process that knows itself by another one, being in a pid namespace of its own.</summary>
    /// <param name="own">What it says.</param>
    /// <param name="mark">A variable of its environment, <c>NAME=VALUE</c>, that no other has but those that it was started by.</param>
    public static int SeenFromHere(int own, string mark)
    {
        if (!OperatingSystem.IsLinux())
            return own;
        bool IsIt(int pid) => Status(pid, "NSpid")?.Split('\t')[^1] == own.ToString() && Words(pid, "environ").Contains(mark);
        return IsIt(own) ? own : All().FirstOrDefault(IsIt, own);
    }

    /// <summary>Processes that have a variable in their environment, <c>NAME=VALUE</c>.</summary>
    public static IEnumerable<int> WithVariable(string mark) => All().Where(pid => Words(pid, "environ").Contains(mark));

    private static IEnumerable<int> All() => Directory.EnumerateDirectories("/proc").Select(folder => int.TryParse(Path.GetFileName(folder), out int pid) ? pid : 0).Where(pid => pid > 0);

    /// <summary>The command line of a process, or its environment; empty if it is gone.</summary>
    public static string[] Words(int pid, string file = "cmdline")
    {
        try
        {
            return File.ReadAllText($"/proc/{pid}/{file}").Split('\0');
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>States of all threads, <c>SSSRS</c>: t is held by a tracer, T stopped by a signal, Z dead.</summary>
    public static string ThreadStates(int pid)
    {
        try
        {
            return string.Concat(Directory.EnumerateDirectories($"/proc/{pid}/task").Select(thread => State(File.ReadAllText(Path.Join(thread, "stat")))));
        }
        catch (IOException)
        {
            return "";
        }
    }

    /// <summary>
    /// A process has ended: it is gone, or its first thread is dead and it has no other. One that has no parent any more keeps its id until the machine's first process asks for its end, which some do
    /// only once a second.
    /// </summary>
    public static bool HasEnded(int pid)
    {
        try
        {
            if (!OperatingSystem.IsLinux())
                return Process.GetProcessById(pid).HasExited;
            return State(File.ReadAllText($"/proc/{pid}/stat")) is 'Z' or 'X' && Directory.GetDirectories($"/proc/{pid}/task").Length <= 1;
        }
        catch (ArgumentException)
        {
            return true;
        }
        catch (IOException)
        {
            return !Directory.Exists($"/proc/{pid}");
        }
    }

    // "tid (name) S ...": the name may hold anything, so the state follows the last parenthesis.
    private static char State(string stat) => stat[stat.LastIndexOf(')') + 2];

    /// <summary>A line of <c>/proc/PID/status</c>; null if the process is gone.</summary>
    public static string? Status(int pid, string field)
    {
        try
        {
            return File.ReadLines($"/proc/{pid}/status").FirstOrDefault(line => line.StartsWith(field + ":", StringComparison.Ordinal))?[(field.Length + 1)..].Trim();
        }
        catch (IOException)
        {
            return null;
        }
    }

    /// <summary>Processes that a process has started and that still exist.</summary>
    public static int[] Children(int pid)
    {
        try
        {
            // proc(5): not on every kernel; much faster than to look through all processes.
            if (File.Exists($"/proc/{pid}/task/{pid}/children"))
                return [.. Directory.EnumerateDirectories($"/proc/{pid}/task").SelectMany(thread => File.ReadAllText(Path.Join(thread, "children")).Split(' ', StringSplitOptions.RemoveEmptyEntries)).Select(int.Parse)];
        }
        catch (IOException)
        {
            return [];
        }
        return [.. All().Where(id => Status(id, "PPid") == pid.ToString())];
    }

    public static bool Maps(int pid, string library)
    {
        try
        {
            return File.ReadLines($"/proc/{pid}/maps").Any(line => line.EndsWith(library, StringComparison.Ordinal));
        }
        catch (IOException)
        {
            return false;
        }
    }

    /// <summary>Sends a signal, at once: to start a program that does it takes long on a busy machine.</summary>
    public static void Signal(int pid, string name)
    {
        // Numbers of Linux on x64 and arm64 (signal(7)).
        int number = name switch { "INT" => 2, "ABRT" => 6, "KILL" => 9, "USR1" => 10, "TERM" => 15, "CONT" => 18, "STOP" => 19, _ => throw new ArgumentException(name) };
        _ = Kill(pid, number);
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Kill(int pid, int signal);

    /// <summary>Waits for something that comes soon, or fails.</summary>
    public static void WaitUntil(Func<bool> condition, string what)
    {
        long start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < TimeSpan.FromSeconds(OperatingSystem.IsWindows() ? 120 : 30), "did not happen: " + what);
            Thread.Sleep(2);
        }
    }
}
