using System.Diagnostics;
using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace Situations;

/// <summary>
/// Waits for processes that wait themselves, until somebody reads what they print. Nobody does. Their twins print little, print to somebody who has not come
/// to it yet, or to nobody here. And waits for the end of what a process prints that has ended, and has left another one behind, and for room in a pipe that only another process
/// reads. On Unix; each process ends with this one.
/// </summary>
public static class Children
{
    // More than a pipe takes (pipe(7): 64 KiB).
    private const string Much = "head -c 300000 /dev/zero";
    private const string UntilTheEnd = "read line";
    private const string InBackground = "exec 3<&0; (read line <&3) & echo started";

    private static readonly SemaphoreSlim Gate = new(1);

    /// <summary>Each of five waits for ever.</summary>
    public static void StartFull(int count)
    {
        Marks.Keep(EndAsync(Start($"{Much} 1>&2")));
        Marks.Keep(ErrorAfterOutputAsync(Start($"({Much}) 1>&2; echo done")));
        Marks.Keep(InputBeforeOutputAsync(Start("cat")));
        Launch(() => End(Start(Much)));
        Launch(() => Output(Start($"{Much} 1>&2; echo done")));
        Thread.Sleep(2000);
    }

    /// <summary>None of them does.</summary>
    public static void StartAlike(int count)
    {
        Marks.Keep(EndAsync(Start($"echo little; {UntilTheEnd}")));
        // Not to us.
        Marks.Keep(EndAsync(Start($"exec 3<&0; {Much} | (read line <&3)")));
        Marks.Keep(LinesAsync(Start(Much)));
        Marks.Keep(EventsAsync(Start("yes")));
        Launch(() => End(Start($"echo little 1>&2; {UntilTheEnd}")));
        Thread.Sleep(2000);
    }

    /// <summary>Each of three waits for the end of an output that a process in the background has inherited.</summary>
    public static void StartKept(int count)
    {
        Marks.Keep(AllAsync(Start(InBackground)));
        Marks.Keep(LinesUntilTheEndAsync(Start(InBackground)));
        Launch(() => LinesUntilTheEnd(Start(InBackground)));
        Thread.Sleep(1500);
    }

    /// <summary>None of them does: one runs itself, one has a reader of single lines, and what one leaves behind has outputs of its own.</summary>
    public static void StartKeptAlike(int count)
    {
        Marks.Keep(AllAsync(Start($"{InBackground}; {UntilTheEnd}")));
        Marks.Keep(NextAsync(Start(InBackground)));
        Marks.Keep(AfterwardsAsync(Start("exec 3<&0; (read line <&3) > /dev/null 2>&1 & echo started")));
        Thread.Sleep(1500);
    }

    /// <summary>A thread writes into a pipe as into its own output, and another process has the other end and does not read.</summary>
    public static void StartUnread(int count) => Print(UntilTheEnd, Log);

    /// <summary>The same with a lock for which somebody waits.</summary>
    public static void StartUnreadLocked(int count) => Print(UntilTheEnd, stream =>
    {
        Marks.Keep(LogLockedAsync(stream));
        Thread.Sleep(500);
        Marks.Keep(EnterAsync());
    });

    /// <summary>It does read, and the thread has written all.</summary>
    public static void StartRead(int count) => Print("cat /dev/fd/{0} > /dev/null & " + UntilTheEnd, Log);

    private static void Print(string script, Action<Stream> write)
    {
        int[] ends = new int[2];
        if (Natives.MakePipe(ends) != 0)
            throw new InvalidOperationException("no pipe");
        Process child = Start(string.Format(CultureInfo.InvariantCulture, script, ends[0]));
        Thread.Sleep(500);
        new SafeFileHandle(ends[0], ownsHandle: true).Dispose();
        var stream = new FileStream(new SafeFileHandle(ends[1], ownsHandle: true), FileAccess.Write, bufferSize: 0);
        Launch(() => write(stream));
        Thread.Sleep(1500);
        Marks.Keep(child);
    }

    private static void Log(Stream stream)
    {
        stream.At("log").Write(new byte[300_000]);
        Thread.Sleep(TimeSpan.FromHours(1));
    }

    private static async Task LogLockedAsync(Stream stream)
    {
        await Gate.WaitAsync();
        try
        {
            await Task.Yield();
            Log(stream);
        }
        finally
        {
            Gate.Release();
        }
    }

    private static async Task EnterAsync()
    {
        await Gate.WaitAsync().At("log-gate");
        Gate.Release();
    }

    private static async Task AllAsync(Process child)
    {
        Marks.Keep(await child.StandardOutput.ReadToEndAsync().At("kept-read"));
        await child.WaitForExitAsync();
    }

    private static async Task LinesUntilTheEndAsync(Process child)
    {
        child.BeginOutputReadLine();
        await child.WaitForExitAsync().At("kept-lines");
    }

    private static void LinesUntilTheEnd(Process child)
    {
        child.BeginOutputReadLine();
        child.At("kept-thread").WaitForExit();
        Marks.Keep(child.ExitCode);
    }

    private static async Task NextAsync(Process child)
    {
        while (await child.StandardOutput.ReadLineAsync() is { } line)
            Marks.Keep(line);
    }

    private static async Task AfterwardsAsync(Process child)
    {
        Marks.Keep(await child.StandardOutput.ReadToEndAsync());
        await child.WaitForExitAsync();
        await Task.Delay(TimeSpan.FromHours(1));
    }

    private static async Task EndAsync(Process child)
    {
        await child.WaitForExitAsync().At("end");
        Marks.Keep(child.ExitCode);
    }

    private static async Task ErrorAfterOutputAsync(Process child)
    {
        string output = await child.StandardOutput.ReadToEndAsync().At("error-after-output");
        string error = await child.StandardError.ReadToEndAsync();
        Marks.Keep(output + error);
    }

    private static async Task InputBeforeOutputAsync(Process child)
    {
        await child.StandardInput.WriteAsync(new string('x', 500_000)).At("input-before-output");
        child.StandardInput.Close();
        Marks.Keep(await child.StandardOutput.ReadToEndAsync());
    }

    // Who reads has much to do, and comes back to it.
    private static async Task LinesAsync(Process child)
    {
        char[] some = new char[100];
        while (await child.StandardOutput.ReadAsync(some) > 0)
            await Task.Delay(TimeSpan.FromHours(1));
        await child.WaitForExitAsync();
    }

    private static async Task EventsAsync(Process child)
    {
        child.OutputDataReceived += (_, _) => Thread.Sleep(TimeSpan.FromHours(1));
        child.BeginOutputReadLine();
        await child.WaitForExitAsync();
    }

    private static void End(Process child)
    {
        child.At("thread-end").WaitForExit();
        Marks.Keep(child.ExitCode);
    }

    private static void Output(Process child)
    {
        string output = child.At("thread-output").StandardOutput.ReadToEnd();
        Marks.Keep(output + child.StandardError.ReadToEnd());
    }

    private static void Launch(Action action) => new Thread(() => action()) { IsBackground = true }.Start();

    private static Process Start(string script)
        => Process.Start(new ProcessStartInfo("/bin/sh", ["-c", script]) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true })!;
}
