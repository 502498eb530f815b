using System.Globalization;

namespace Async2.Analysis.Targets.Memory;

/// <summary>What is behind a range of addresses.</summary>
internal enum MappingKind
{
    /// <summary>Memory of the process alone, zero until it is written to.</summary>
    Anonymous,

    /// <summary>A file on a disk.</summary>
    File,

    /// <summary>The runtime's memory for code and what belongs to it, mapped once to write and once to execute (W^X).</summary>
    DoubleMapped,

    /// <summary>Clocks and system calls that the kernel maps into every process, devices: nothing of the program.</summary>
    Other,
}

/// <summary>A range of a process's address space and its backing: a line of <c>/proc/PID/maps</c> (proc(5)), a region of Windows.</summary>
/// <param name="Start">First address.</param>
/// <param name="End">Behind the last address.</param>
/// <param name="Kind">What is behind it.</param>
/// <param name="Permissions"><c>rw-p</c>: readable, writable, executable, private or shared.</param>
/// <param name="Offset">Its offset in the file; on Windows in the library as it was loaded.</param>
/// <param name="Path">The file; empty or in brackets if there is none.</param>
internal sealed record MemoryMapping(ulong Start, ulong End, MappingKind Kind, string Permissions, ulong Offset, string Path) : IAddressRange
{
    /// <summary>Appended by the kernel to the path of a file that has been removed or replaced.</summary>
    public const string DeletedMark = " (deleted)";

    private const string KernelMark = "[v";

    public ulong Length => End - Start;

    /// <summary>Clocks and system calls that the kernel maps into every process: <c>[vdso]</c>, <c>[vvar]</c>. They contain nothing of the program.</summary>
    public bool IsOfKernel => Path.StartsWith(KernelMark, StringComparison.Ordinal);

    public bool IsReadable => Permissions[0] == 'r';

    public bool IsWritable => Permissions[1] == 'w';

    public bool IsExecutable => Permissions[2] == 'x';

    public bool IsPrivate => Permissions[3] == 'p';

    /// <summary>The runtime's memory for code and what belongs to it.</summary>
    public bool IsDoubleMapped => Kind == MappingKind.DoubleMapped;

    /// <summary>A file on a disk.</summary>
    public bool IsFile => Kind == MappingKind.File;

    /// <summary>Private memory without a file, zero until it is written to.</summary>
    public bool IsAnonymous => IsPrivate && Kind == MappingKind.Anonymous;

    /// <summary>The path without <see cref="DeletedMark"/>.</summary>
    public static string WithoutDeleted(string path) => path.EndsWith(DeletedMark, StringComparison.Ordinal) ? path[..^DeletedMark.Length] : path;

    /// <summary>All mappings of a process, by address.</summary>
    /// <exception cref="IOException">The process has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">It belongs to another user.</exception>
    public static List<MemoryMapping> Of(int pid)
    {
        if (OperatingSystem.IsWindows())
            return WindowsMappings.Of(pid);
        var all = new List<MemoryMapping>();
        foreach (string line in File.ReadLines(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/maps")))
        {
            if (Parse(line) is { } mapping)
                all.Add(mapping);
        }
        return all;
    }

    // "7f12-7f34 rw-p 00001000 fd:00 1234      /path with blanks"
    private static MemoryMapping? Parse(string line)
    {
        string[] words = line.Split(' ', 6, StringSplitOptions.RemoveEmptyEntries);
        int dash = words[0].IndexOf('-', StringComparison.Ordinal);
        if (words.Length < 5 || dash < 0 || words[1].Length < 4 || !TryHex(words[0].AsSpan(0, dash), out ulong start)
            || !TryHex(words[0].AsSpan(dash + 1), out ulong end) || !TryHex(words[2], out ulong offset) || end <= start)
            return null;
        string path = words.Length > 5 ? words[5] : "";
        return new(start, end, KindOf(path), words[1], offset, path);
    }

    // Not [vdso], [vvar] and [vsyscall], which are the kernel's.
    private static MappingKind KindOf(string path) => path switch
    {
        _ when path.StartsWith("/memfd:doublemapper", StringComparison.Ordinal) => MappingKind.DoubleMapped,
        _ when path.StartsWith("/memfd:", StringComparison.Ordinal) || path.StartsWith("/dev/", StringComparison.Ordinal) || path.StartsWith(KernelMark, StringComparison.Ordinal) => MappingKind.Other,
        ['/', ..] => MappingKind.File,
        _ => MappingKind.Anonymous,
    };

    private static bool TryHex(ReadOnlySpan<char> text, out ulong value) => ulong.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value);
}
