using Async2.Analysis.Targets.Windows;
using Async2.Dump.Cli;

namespace Async2.Dump.Dap.Protocol;

/// <summary>
/// The file of a trace. Its name and some of its content may come from a launch.json in a repository. So nothing
/// is overwritten that is not a trace, no file gets a name that another program would run or read, and nobody else can read it.
/// </summary>
internal static class TraceFile
{
    private const string Ending = ".log";
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    // Identifies a trace file.
    private static ReadOnlySpan<byte> FirstLine => "# dotnet-async2 dap: a trace of all messages\n"u8;

    /// <summary>Creates the file, or empties an old trace.</summary>
    /// <exception cref="UsageException">Another file has that name.</exception>
    /// <exception cref="IOException">It cannot be created.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be created.</exception>
    public static Stream Create(string path)
    {
        if (!path.EndsWith(Ending, StringComparison.Ordinal) || Path.GetFileName(path).Length == Ending.Length)
            throw new UsageException($"'{DapText.Name(path)}' is not a log file name (given as trace)", "set trace to a path that ends in .log");
        Stream file = Made(path) ?? Emptied(path) ?? throw new UsageException(
            $"'{DapText.Name(path)}' already exists and is not a trace of this program (given as trace)", "set trace to a file that does not exist yet");
        file.Write(FirstLine);
        return file;
    }

    // Null if the name is taken. A link counts, wherever it leads.
    private static FileStream? Made(string path)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = FileShare.Read };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = OwnerOnly;
        try
        {
            return OperatingSystem.IsWindows() ? PrivateFile.Create(path) : new FileStream(path, options);
        }
        catch (IOException) when (Path.Exists(path) || new FileInfo(path).LinkTarget is not null)
        {
            return null;
        }
    }

    // Only a file that begins like a trace is emptied, and the check reads the opened file itself.
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
