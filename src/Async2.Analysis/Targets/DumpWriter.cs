using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Analysis.Targets;

/// <summary>
/// Asks a process to write a core dump of itself. Always a full one: for the smaller kinds, <c>createdump</c> of .NET 10 walks
/// thread stacks with the DAC and crashes on runtime-async frames, and the process that was asked never hears of it. The file
/// is therefore looked at, not only the answer.
/// </summary>
public static class DumpWriter
{
    /// <summary>Writes a dump and returns its size in bytes. A file of that name is replaced, but only by a whole dump.</summary>
    /// <param name="pid">A process with diagnostics enabled.</param>
    /// <param name="path">Where to; the process itself writes it, so it is a path of its file system.</param>
    /// <exception cref="TargetException">No dump was written; the message names the cure.</exception>
    public static long Write(int pid, string path)
    {
        string full = Path.GetFullPath(path);
        // Under a name of its own: an old file must not pass for the dump that createdump failed to write.
        string draft = full + ".part";
        try
        {
            File.Delete(draft);
            new DiagnosticsClient(pid).WriteDump(DumpType.Full, draft, logDumpGeneration: false);
            var file = new FileInfo(draft);
            if (!file.Exists || file.Length == 0)
                throw DumpFailure.NoFile(pid, full);
            file.MoveTo(full, overwrite: true);
            return file.Length;
        }
        catch (Exception exception) when (exception is DiagnosticsClientException or IOException or TimeoutException or UnauthorizedAccessException)
        {
            throw DumpFailure.Explain(pid, full, exception);
        }
        finally
        {
            File.Delete(draft);
        }
    }
}
