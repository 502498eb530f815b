using System.Globalization;
using Async2.Analysis.Targets.Contract;
using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>
/// Asks a process to write a core dump of itself. Always a full one: for the smaller kinds, <c>createdump</c> of .NET 10 walks
/// thread stacks with the DAC and crashes on runtime-async frames, and the process that was asked never hears of it. The file
/// is therefore looked at, not only the answer. A process that is stopped or stuck never answers, so nobody waits for it for long.
/// </summary>
public static class DumpWriter
{
    // createdump begins to write within seconds and then writes on; a disk that takes a minute for a buffer is broken.
    private static readonly TimeSpan SilenceLimit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    /// <summary>Writes a dump and returns its size in bytes. A file of that name is replaced, but only by a whole dump, and keeps its mode.</summary>
    /// <param name="pid">A process with diagnostics enabled.</param>
    /// <param name="path">Where to. The process itself writes it; one in a container writes it there, and it is fetched.</param>
    /// <param name="progress">Hears how much is written.</param>
    /// <param name="cancellation">Ends the waiting at once.</param>
    /// <exception cref="TargetException">No dump was written; the message names the fix.</exception>
    /// <exception cref="OperationCanceledException">Waiting was ended; what was written is deleted.</exception>
    public static long Write(int pid, string path, IProgress<AnalysisProgress>? progress = null, CancellationToken cancellation = default)
        => Write(pid, path, SilenceLimit, progress, cancellation);

    /// <summary>The same with another limit, for tests.</summary>
    internal static long Write(int pid, string path, TimeSpan silentAtMost, IProgress<AnalysisProgress>? progress, CancellationToken cancellation)
    {
        string full = Path.GetFullPath(path);
        // Under a name of its own: an old file must not pass for the dump that createdump failed to write.
        string draft = full + ".part";
        DumpPlace? place = null;
        try
        {
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
        catch (Exception exception) when (exception is DiagnosticsClientException or IOException or TimeoutException or UnauthorizedAccessException)
        {
            throw DumpFailure.Explain(pid, full, place?.Folder ?? Path.GetDirectoryName(full) ?? full, exception);
        }
        finally
        {
            place?.Dispose();
        }
    }

    // False when neither an answer came nor the file grew for too long. The request itself is not waited for once it is given up:
    // it may be stuck in a call of the system.
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

    // A new file is createdump's, which is for its owner alone.
    private static void KeepMode(string full, string draft)
    {
        if (!OperatingSystem.IsWindows() && File.Exists(full))
            File.SetUnixFileMode(draft, File.GetUnixFileMode(full));
    }
}
