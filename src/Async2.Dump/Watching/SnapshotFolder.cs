using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Targets.Windows;
using Async2.Dump.Cli;

namespace Async2.Dump.Watching;

/// <summary>Where <c>watch</c> saves what it sees. It overwrites nothing, and what it cannot write is a sentence, not the end.</summary>
/// <param name="folder">The folder; it is made when something is saved.</param>
/// <param name="clock">Names files.</param>
internal sealed class SnapshotFolder(string folder, TimeProvider clock)
{
    private const UnixFileMode ForOwner = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>Writes a snapshot, readable by its owner only.</summary>
    /// <param name="pid">Whose it is.</param>
    /// <param name="why">One word, for the file's name.</param>
    /// <param name="snapshot">Its bytes.</param>
    /// <param name="failure">Why it could not be written; null if it was.</param>
    /// <returns>The file; null if it could not be written.</returns>
    public string? Save(int? pid, string why, byte[] snapshot, out string? failure)
    {
        failure = null;
        try
        {
            if (OperatingSystem.IsWindows())
                PrivateFile.CreateFolder(folder);
            else
                Directory.CreateDirectory(folder, ForOwner);
            string path = FreeName(string.Create(CultureInfo.InvariantCulture, $"{pid}_{clock.GetUtcNow():yyyyMMdd_HHmmss}_{why}"));
            AnswerFile.Write(path, stream => stream.Write(snapshot), isPrivate: true);
            return path;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or UsageException)
        {
            failure = exception.Message;
            return null;
        }
    }

    // Two looks in one second, or two tools in one folder.
    private string FreeName(string name)
    {
        string path = Path.Join(folder, name + SnapshotFile.Extension);
        for (int number = 2; File.Exists(path); number++)
            path = Path.Join(folder, string.Create(CultureInfo.InvariantCulture, $"{name}-{number}{SnapshotFile.Extension}"));
        return path;
    }
}
