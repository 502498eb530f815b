using System.Globalization;
using System.Runtime.Versioning;
using Async2.Analysis.Targets.Contract;
using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>
/// Asks a process to write a core dump of itself; on Windows writes one of it from outside. Always a full one: for the smaller kinds, <c>createdump</c> of .NET 10 walks
/// thread stacks with the DAC and crashes on runtime-async frames, and the process reports success. So the file
/// is checked, not only the answer. A process that is stopped or stuck never answers, so the wait has a limit.
/// </summary>
public static class DumpWriter
{
    // createdump begins to write within seconds and then writes continuously; a disk that takes a minute for a buffer is broken.
    private static readonly TimeSpan SilenceLimit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    /// <summary>Writes a dump and returns its size in bytes. An existing file is replaced, but only by a complete dump, and keeps its mode.</summary>
    /// <param name="pid">A process with diagnostics enabled.</param>
    /// <param name="path">The output path. The process itself writes it; one in a container writes it there, and it is copied out.</param>
    /// <param name="progress">Receives the number of bytes written.</param>
    /// <param name="cancellation">Ends the wait at once.</param>
    /// <exception cref="TargetException">No dump was written; the message names the fix.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled; the written part is deleted.</exception>
    public static long Write(int pid, string path, IProgress<AnalysisProgress>? progress = null, CancellationToken cancellation = default)
        => Write(pid, path, SilenceLimit, progress, cancellation);

    /// <summary>The same with another limit, for tests.</summary>
    internal static long Write(int pid, string path, TimeSpan silentAtMost, IProgress<AnalysisProgress>? progress, CancellationToken cancellation)
    {
        string full = Path.GetFullPath(path);
        // Under a temporary name: an old file must not be mistaken for the dump that createdump failed to write.
        string draft = full + ".part";
        DumpPlace? place = null;
        try
        {
            if (OperatingSystem.IsWindows())
                return WriteFromOutside(pid, full, draft, progress, cancellation);
            place = DumpPlace.Of(pid, draft);
            using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            Task request = new DiagnosticsClient(pid).WriteDumpAsync(DumpType.Full, place.Asked, logDumpGeneration: false, end.Token);
            if (!Wait(request, place, silentAtMost, progress, cancellation))
            {
                end.Cancel();
                throw DumpFailure.NoAnswer(pid, full, silentAtMost);
            }
            if (!place.Fetch())
                throw DumpFailure.NoFile(pid, full);
            var file = new FileInfo(draft);
            KeepMode(full, draft);
            file.MoveTo(full, overwrite: true);
            return file.Length;
        }
        catch (InvalidOperationException exception)
        {
            throw DumpFailure.Ended(pid, exception);
        }
        catch (Exception exception) when (exception is DiagnosticsClientException or IOException or TimeoutException or UnauthorizedAccessException)
        {
            throw DumpFailure.Explain(pid, full, place?.Folder ?? Path.GetDirectoryName(full) ?? full, exception);
        }
        finally
        {
            place?.Dispose();
        }
    }

    [SupportedOSPlatform("windows")]
    private static long WriteFromOutside(int pid, string full, string draft, IProgress<AnalysisProgress>? progress, CancellationToken cancellation)
    {
        try
        {
            WindowsDump.Write(pid, draft, WindowsDump.Kind.Full, progress, cancellation);
            var file = new FileInfo(draft);
            file.MoveTo(full, overwrite: true);
            return file.Length;
        }
        finally
        {
            File.Delete(draft);
        }
    }

    // False if neither an answer came nor the file grew for too long. An abandoned request is not awaited:
    // it may be stuck in a system call.
    private static bool Wait(Task request, DumpPlace place, TimeSpan silentAtMost, IProgress<AnalysisProgress>? progress, CancellationToken cancellation)
    {
        long written = 0, since = Environment.TickCount64;
        while (Task.WaitAny([request], Interval) < 0)
        {
            cancellation.ThrowIfCancellationRequested();
            long length = place.Length;
            if (length > written)
                (written, since) = (length, Environment.TickCount64);
            else if (Environment.TickCount64 - since > silentAtMost.TotalMilliseconds)
                return false;
            progress?.Report(new AnalysisProgress(written == 0 ? "asking for the dump" : string.Create(CultureInfo.InvariantCulture, $"writing the dump, {written / 1_000_000} MB"), null));
        }
        request.GetAwaiter().GetResult();
        return true;
    }

    // A new file is created by createdump, readable by its owner only.
    private static void KeepMode(string full, string draft)
    {
        if (!OperatingSystem.IsWindows() && File.Exists(full))
            File.SetUnixFileMode(draft, File.GetUnixFileMode(full));
    }
}
