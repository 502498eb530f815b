using System.Diagnostics;

namespace Async2.Tests.Support.Programs;

/// <summary>
/// Waits until a program has come to where it stays. A program says that it is ready before it reads its input, and on a busy machine a test
/// would look while the main thread is still on the way there, or while what the program began waits for a processor.
/// </summary>
internal static class ThreadRest
{
    // A thread that is to run is not asleep, however long it has to wait for a processor.
    private const string Asleep = "S";

    private static readonly TimeSpan Window = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan AllLimit = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan MainLimit = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan HeldLimit = TimeSpan.FromSeconds(10);

    /// <summary>All threads sleep, and none has run for a moment; of a program that has always something to do, its main thread does. After some seconds it is taken as it is.</summary>
    public static void WaitFor(int pid)
    {
        if (OperatingSystem.IsWindows())
        {
            Wait(() => WorkOf(pid), AllLimit);
            return;
        }
        if (!WaitForAll(pid, AllLimit))
            Wait(() => Switches(() => [Path.Join(TasksOf(pid), pid.ToString())]), MainLimit);
    }

    /// <summary>
    /// The same for a debugger, which holds a process and cannot look again: a thread of the pool that is on its way to sleep, in code of the runtime that notes no caller, makes the answer a partial one (A2D1019). On a
    /// busy machine that way is long.
    /// </summary>
    public static void WaitForAll(int pid) => WaitForAll(pid, HeldLimit);

    private static bool WaitForAll(int pid, TimeSpan limit) => Wait(() => Switches(() => Directory.EnumerateDirectories(TasksOf(pid))), limit);

    private static string TasksOf(int pid) => $"/proc/{pid}/task";

    private static bool Wait(Func<string?> look, TimeSpan limit)
    {
        long start = Stopwatch.GetTimestamp();
        string? before = look();
        while (Stopwatch.GetElapsedTime(start) < limit)
        {
            Thread.Sleep(Window);
            string? now = look();
            if (now is not null && now == before)
                return true;
            before = now;
        }
        return false;
    }

    // What all threads have cost so far.
    private static string? WorkOf(int pid)
    {
        using var process = Process.GetProcessById(pid);
        return $"{process.TotalProcessorTime.Ticks} {process.Threads.Count}";
    }

    // How often each has begun to run (proc(5)); null if one is not asleep, or has just ended.
    private static string? Switches(Func<IEnumerable<string>> threads)
    {
        try
        {
            string[] lines = [.. threads().Order(StringComparer.Ordinal).SelectMany(thread => File.ReadLines(Path.Join(thread, "status"))).Where(line => line.StartsWith("State:", StringComparison.Ordinal) || line.Contains("voluntary_ctxt_switches", StringComparison.Ordinal))];
            return lines.Where(line => line.StartsWith("State:", StringComparison.Ordinal)).All(line => line.Split('\t')[1].StartsWith(Asleep, StringComparison.Ordinal)) ? string.Join('\n', lines) : null;
        }
        catch (IOException)
        {
            return null;
        }
    }
}
