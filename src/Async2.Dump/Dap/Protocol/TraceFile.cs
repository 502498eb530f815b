using Async2.Dump.Cli;

namespace Async2.Dump.Dap.Protocol;

/// <summary>
/// The file of a trace. Its name may have come with a repository, in launch.json, and part of what is written to it, too: so nothing
/// is overwritten that is not a trace, no file gets a name that some other program would run or read, and nobody else may read it.
/// </summary>
internal static class TraceFile
{
    private const string Ending = ".log";
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    // What tells a trace from all other files.
    private static ReadOnlySpan<byte> FirstLine => "# dotnet-async2 dap: a trace of all messages\n"u8;

    /// <summary>Makes the file, or empties an old trace.</summary>
    /// <exception cref="UsageException">Something else has that name.</exception>
    /// <exception cref="IOException">It cannot be made.</exception>
    /// <exception cref="UnauthorizedAccessException">Nor may it be.</exception>
    public static Stream Create(string path)
    {
        if (!path.EndsWith(Ending, StringComparison.Ordinal) || Path.GetFileName(path).Length == Ending.Length)
            throw new UsageException($"'{DapText.Name(path)}' is not the name of a log (given as trace)", "set trace to a path that ends in .log");
        Stream file = Made(path) ?? Emptied(path) ?? throw new UsageException(
            $"'{DapText.Name(path)}' exists already, and is not a trace of this program (given as trace)", "set trace to a file that does not exist yet");
        file.Write(FirstLine);
        return file;
    }

    // Null where something has that name. A link is something, wherever it leads.
    private static FileStream? Made(string path)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = FileShare.Read };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = OwnerOnly;
        try
        {
            return new FileStream(path, options);
        }
        catch (IOException) when (Path.Exists(path) || new FileInfo(path).LinkTarget is not null)
        {
            return null;
        }
    }

    // Only what begins as a trace does is emptied, and that is asked of the very file that was opened.
    private static FileStream? Emptied(string path)
    {
        var entry = new FileInfo(path);
        if (entry.LinkTarget is not null || (entry.Attributes & (FileAttributes.Directory | FileAttributes.Device)) != 0)
            return null;
        var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.Read);
        byte[] start = new byte[FirstLine.Length];
        if (!file.CanSeek || file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false) < start.Length || !start.AsSpan().SequenceEqual(FirstLine))
        {
            file.Dispose();
            return null;
        }
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(file.SafeFileHandle, OwnerOnly);
        file.SetLength(0);
        file.Position = 0;
        return file;
    }
}
