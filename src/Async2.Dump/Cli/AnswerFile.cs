namespace Async2.Dump.Cli;

/// <summary>
/// Where an answer goes: standard output, or a file that appears whole or not at all. It is written beside its name first and
/// renamed when complete, so an interrupted run never leaves half an answer under the name a script waits for.
/// </summary>
internal static class AnswerFile
{
    /// <summary>Writes an answer.</summary>
    /// <param name="path">A file, or null for standard output.</param>
    /// <param name="write">Writes the bytes.</param>
    public static void Write(string? path, Action<Stream> write)
    {
        if (path is null)
            WriteStream(Console.OpenStandardOutput(), write);
        else if (IsDevice(path))
            WriteStream(new FileStream(path, FileMode.Open, FileAccess.Write), write);
        else
            WriteFile(path, write);
    }

    /// <summary>Says before any work is done that a path cannot be written to.</summary>
    /// <exception cref="UsageException">The path is a folder, or its folder does not exist.</exception>
    public static void Check(string? path)
    {
        if (path is null || IsDevice(path))
            return;
        if (path.Length == 0)
            throw new UsageException("-o needs the name of a file", "type -o answer.txt");
        if (Directory.Exists(path))
            throw new UsageException($"{path} is a folder, not a file", $"type -o {Path.Join(path, "answer.txt")}");
        if (Path.GetDirectoryName(Path.GetFullPath(path)) is string folder && !Directory.Exists(folder))
            throw new UsageException($"the folder {folder} does not exist", $"make it first, type mkdir -p {folder}");
    }

    // Renaming over /dev/null or /dev/stdout would replace the device by a file.
    private static bool IsDevice(string path) => path.StartsWith("/dev/", StringComparison.Ordinal) || path.StartsWith("/proc/", StringComparison.Ordinal);

    private static void WriteStream(Stream stream, Action<Stream> write)
    {
        using var buffer = new BufferedStream(stream, 1 << 16);
        write(buffer);
    }

    private static void WriteFile(string path, Action<Stream> write)
    {
        // A link keeps being a link: what it leads to is replaced.
        string final = (File.Exists(path) ? File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName : null) ?? Path.GetFullPath(path);
        string draft = $"{final}.{Environment.ProcessId}.tmp";
        try
        {
            WriteStream(new FileStream(draft, FileMode.CreateNew, FileAccess.Write), write);
            File.Move(draft, final, overwrite: true);
        }
        finally
        {
            File.Delete(draft);
        }
    }
}
