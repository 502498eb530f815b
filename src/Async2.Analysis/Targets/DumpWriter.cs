using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Analysis.Targets;

/// <summary>
/// Asks a process to write a core dump of itself. Always a full one: for the smaller kinds, <c>createdump</c> of .NET 10 walks
/// thread stacks with the DAC and crashes on runtime-async frames, and the process that was asked never hears of it. The file
/// is therefore looked at, not only the answer.
/// </summary>
public static class DumpWriter
{
    /// <summary>Writes a dump and returns its size in bytes.</summary>
    /// <param name="pid">A process with diagnostics enabled.</param>
    /// <param name="path">Where to; the process itself writes it, so it is a path of its file system.</param>
    /// <exception cref="TargetException">No dump was written; the message names the cure.</exception>
    public static long Write(int pid, string path)
    {
        string full = Path.GetFullPath(path);
        try
        {
            new DiagnosticsClient(pid).WriteDump(DumpType.Full, full, logDumpGeneration: false);
        }
        catch (Exception exception) when (exception is DiagnosticsClientException or IOException or TimeoutException or UnauthorizedAccessException)
        {
            throw DumpFailure.Explain(pid, full, exception);
        }
        var file = new FileInfo(full);
        return file is { Exists: true, Length: > 0 } ? file.Length : throw DumpFailure.NoFile(pid, full);
    }
}
