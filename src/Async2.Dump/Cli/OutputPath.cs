using Async2.Analysis.Targets.Files;

namespace Async2.Dump.Cli;

/// <summary>What a file name given to <c>-o</c> refers to.</summary>
internal enum OutputKind
{
    /// <summary>Nothing exists yet.</summary>
    New,

    /// <summary>A regular file: the only kind that is replaced.</summary>
    File,

    /// <summary>A character device, a FIFO, or a descriptor below <c>/proc</c>: written to, never replaced.</summary>
    Stream,

    /// <summary>Standard output under one of its names.</summary>
    StandardOutput,

    /// <summary>A folder.</summary>
    Folder,

    /// <summary>A disk or a socket: rejected.</summary>
    Refused,
}

/// <summary>A file name given to <c>-o</c>, with its links resolved and its kind determined.</summary>
/// <param name="Full">The full path of the file to write, with all links resolved.</param>
/// <param name="Kind">The kind of file that exists there.</param>
/// <param name="Names">Number of hard links of a <see cref="OutputKind.File"/>.</param>
internal sealed record OutputPath(string Full, OutputKind Kind, uint Names = 1)
{
    /// <summary>Resolves the links of a name and determines what it refers to. Opens nothing for reading or writing.</summary>
    /// <param name="path">As the user typed it.</param>
    /// <exception cref="UsageException">Links form a cycle.</exception>
    public static OutputPath Of(string path)
    {
        if (path == "-")
            return new OutputPath(path, OutputKind.StandardOutput);
        // A bare relative link would be resolved against the root folder.
        string full = Path.GetFullPath(path);
        if (full is "/dev/stdout" or "/dev/fd/1" or "/proc/self/fd/1")
            return new OutputPath(full, OutputKind.StandardOutput);
        try
        {
            if (new FileInfo(full) is { LinkTarget: not null } link)
                full = link.ResolveLinkTarget(returnFinalTarget: true)!.FullName;
        }
        catch (IOException exception)
        {
            throw new UsageException($"{path} is a link that leads nowhere: {exception.Message}", "type -o and the name of a file");
        }
        return full.StartsWith("/proc/", StringComparison.Ordinal) || full.StartsWith("/dev/fd/", StringComparison.Ordinal)
            ? new OutputPath(full, OutputKind.Stream)
            : OperatingSystem.IsLinux() ? OnLinux(full) : Elsewhere(full);
    }

    private static bool IsStream(string device)
        => device.StartsWith(@"pipe\", StringComparison.OrdinalIgnoreCase) || device.ToUpperInvariant() is "NUL" or "CON" or "CONOUT$";

    private static OutputPath OnLinux(string full)
    {
        if (FileFacts.Of(full) is not { } facts)
            return new OutputPath(full, OutputKind.New);
        OutputKind kind = facts.IsRegular ? OutputKind.File
            : facts.IsFolder ? OutputKind.Folder
            : facts.IsCharacterDevice || facts.IsPipe ? OutputKind.Stream
            : OutputKind.Refused;
        return new OutputPath(full, kind, facts.Links);
    }

    // \\.\NUL, \\.\pipe\name: what .NET makes of reserved names such as nul and con, in any folder.
    private static OutputPath Elsewhere(string full) => full.StartsWith(@"\\.\", StringComparison.Ordinal)
        ? new(full, IsStream(full[4..]) ? OutputKind.Stream : OutputKind.Refused)
        : new(full, Directory.Exists(full) ? OutputKind.Folder : File.Exists(full) ? OutputKind.File : OutputKind.New);
}
