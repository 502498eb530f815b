using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Async2.Dump.Cli;

/// <summary>What a file name given to <c>-o</c> leads to.</summary>
internal enum OutputKind
{
    /// <summary>Nothing is there yet.</summary>
    New,

    /// <summary>A regular file: the only kind that is ever replaced.</summary>
    File,

    /// <summary>A character device, a FIFO, or a descriptor below <c>/proc</c>: written to, and left what it is.</summary>
    Stream,

    /// <summary>Standard output under one of its names.</summary>
    StandardOutput,

    /// <summary>A folder.</summary>
    Folder,

    /// <summary>A disk or a socket: refused.</summary>
    Refused,
}

/// <summary>A file name given to <c>-o</c>, with its links followed and its kind asked from the system.</summary>
/// <param name="Full">The whole path of what is written, behind all links.</param>
/// <param name="Kind">What is there.</param>
/// <param name="Names">Number of hard links of a <see cref="OutputKind.File"/>.</param>
internal sealed partial record OutputPath(string Full, OutputKind Kind, uint Names = 1)
{
    // statx(2): the one form of stat whose struct is the same on all processors. Offsets in struct statx of linux/stat.h.
    private const int Size = 256, NamesAt = 16, ModeAt = 28;
    private const int AtWorkingFolder = -100;
    private const uint BasicFields = 0x7FF;

    // S_IFMT and the kinds of file in st_mode, sys/stat.h.
    private const int KindBits = 0xF000, RegularFile = 0x8000, Directory = 0x4000, CharacterDevice = 0x2000, Pipe = 0x1000;

    /// <summary>Follows the links of a name and looks at what it leads to. Opens nothing.</summary>
    /// <param name="path">As the user typed it.</param>
    /// <exception cref="UsageException">Links lead in a circle.</exception>
    public static OutputPath Of(string path)
    {
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

    private static OutputPath OnLinux(string full)
    {
        Span<byte> status = stackalloc byte[Size];
        if (Status(AtWorkingFolder, full, 0, BasicFields, ref MemoryMarshal.GetReference(status)) != 0)
            return new OutputPath(full, OutputKind.New);
        return new OutputPath(full, (BinaryPrimitives.ReadUInt16LittleEndian(status[ModeAt..]) & KindBits) switch
        {
            RegularFile => OutputKind.File,
            Directory => OutputKind.Folder,
            CharacterDevice or Pipe => OutputKind.Stream,
            _ => OutputKind.Refused,
        }, BinaryPrimitives.ReadUInt32LittleEndian(status[NamesAt..]));
    }

    private static OutputPath Elsewhere(string full)
        => new(full, System.IO.Directory.Exists(full) ? OutputKind.Folder : File.Exists(full) ? OutputKind.File : OutputKind.New);

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Status(int folder, string path, int flags, uint mask, ref byte status);
}
