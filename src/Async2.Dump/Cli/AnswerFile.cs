using Async2.Analysis.Targets.Windows;

namespace Async2.Dump.Cli;

/// <summary>
/// Where an answer goes: standard output, or a file that is either complete or absent. It is written under a temporary name and
/// renamed when complete, so an interrupted run never leaves half an answer under the name that a script waits for. Only regular
/// files are replaced; devices and pipes are written to. A replaced file keeps its mode, its links and its hard links.
/// </summary>
internal static class AnswerFile
{
    private const UnixFileMode ForOwner = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Writes an answer.</summary>
    /// <param name="path">A file, or null for standard output.</param>
    /// <param name="write">Writes the bytes.</param>
    /// <param name="isPrivate">It holds data of the target, such as variables: a new file is readable by its owner only.</param>
    public static void Write(string? path, Action<Stream> write, bool isPrivate = false)
    {
        OutputPath? output = path is null ? null : OutputPath.Of(path);
        switch (output?.Kind)
        {
            case null or OutputKind.StandardOutput:
                WriteStream(Console.OpenStandardOutput(), write);
                break;
            case OutputKind.Stream:
                WriteStream(new FileStream(output.Full, FileMode.Open, FileAccess.Write), write);
                break;
            case OutputKind.New or OutputKind.File:
                WriteFile(output, write, isPrivate);
                break;
            default:
                Check(path);
                break;
        }
    }

    /// <summary>Throws, before any work is done, if a path cannot be written to.</summary>
    /// <param name="path">As the user typed it; null for standard output.</param>
    /// <exception cref="UsageException">The path is a folder, a disk or a socket, or its folder does not exist.</exception>
    public static void Check(string? path)
    {
        if (path is null)
            return;
        if (path.Length == 0)
            throw new UsageException("-o needs the name of a file", "type -o answer.txt");
        OutputPath output = OutputPath.Of(path);
        if (output.Kind == OutputKind.Folder)
            throw new UsageException($"{path} is a folder, not a file", $"type -o {Path.Join(path, "answer.txt")}");
        if (output.Kind == OutputKind.Refused)
            throw new UsageException($"{path} is a disk or a socket, not a file", "type -o answer.txt");
        if (output.Kind == OutputKind.New && Path.GetDirectoryName(output.Full) is string folder && !Directory.Exists(folder))
            throw new UsageException($"the folder {folder} does not exist", OperatingSystem.IsWindows() ? $"make it first, type mkdir \"{folder}\"" : $"make it first, type mkdir -p {folder}");
    }

    private static void WriteStream(Stream stream, Action<Stream> write)
    {
        using var buffer = new BufferedStream(stream, 1 << 16);
        write(buffer);
    }

    private static void WriteFile(OutputPath output, Action<Stream> write, bool isPrivate)
    {
        string draft = $"{output.Full}.{Environment.ProcessId}.tmp";
        try
        {
            WriteStream(OperatingSystem.IsWindows() && isPrivate && output.Kind == OutputKind.New ? PrivateFile.Create(draft) : new FileStream(draft, Draft(output, isPrivate)), write);
            if (output is { Kind: OutputKind.File, Names: > 1 })
                CopyInto(output.Full, draft);
            else
                Replace(output, draft);
        }
        finally
        {
            File.Delete(draft);
        }
    }

    // From the first byte on, nobody else may read private data, nor a file that replaces one nobody else may read.
    private static FileStreamOptions Draft(OutputPath output, bool isPrivate)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows() && (isPrivate || output.Kind == OutputKind.File))
            options.UnixCreateMode = ForOwner;
        return options;
    }

    private static void Replace(OutputPath output, string draft)
    {
        if (OperatingSystem.IsWindows() && output.Kind == OutputKind.File)
        {
            ReplaceOnWindows(output.Full, draft);
            return;
        }
        if (!OperatingSystem.IsWindows() && output.Kind == OutputKind.File)
            File.SetUnixFileMode(draft, File.GetUnixFileMode(output.Full));
        File.Move(draft, output.Full, overwrite: true);
    }

    // The file keeps its owner and access list. One that another program has open is not replaced, and stays what it was.
    private static void ReplaceOnWindows(string file, string draft)
    {
        const int sharingViolation = 32, lockViolation = 33, mapped = 1224;
        try
        {
            File.Replace(draft, file, destinationBackupFileName: null, ignoreMetadataErrors: true);
        }
        catch (Exception e) when (e is UnauthorizedAccessException || (e is IOException && (e.HResult & 0xffff) is sharingViolation or lockViolation or mapped))
        {
            throw new UsageException($"{file} cannot be replaced: another program has it open, or you may not write to it", "close that program, or type -o and another name");
        }
    }

    // Renaming would leave the file's other hard links with the old content.
    private static void CopyInto(string file, string draft)
    {
        using FileStream from = File.OpenRead(draft);
        using var to = new FileStream(file, FileMode.Truncate, FileAccess.Write);
        from.CopyTo(to);
    }
}
