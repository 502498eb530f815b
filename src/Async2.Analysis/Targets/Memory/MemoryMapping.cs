using System.Globalization;

namespace Async2.Analysis.Targets.Memory;

/// <summary>A line of <c>/proc/PID/maps</c> (proc(5)): a range of a process's address space and its backing.</summary>
/// <param name="Start">First address.</param>
/// <param name="End">Behind the last address.</param>
/// <param name="Permissions"><c>rw-p</c>: readable, writable, executable, private or shared.</param>
/// <param name="Offset">Its offset in the file.</param>
/// <param name="Path">The file; empty or in brackets if there is none.</param>
internal sealed record MemoryMapping(ulong Start, ulong End, string Permissions, ulong Offset, string Path) : IAddressRange
{
    /// <summary>Appended by the kernel to the path of a file that has been removed or replaced.</summary>
    public const string DeletedMark = " (deleted)";

    public ulong Length => End - Start;

    /// <summary>Clocks and system calls that the kernel maps into every process: <c>[vdso]</c>, <c>[vvar]</c>. They contain nothing of the program.</summary>
    public bool IsOfKernel => Path.StartsWith("[v", StringComparison.Ordinal);

    public bool IsReadable => Permissions[0] == 'r';

    public bool IsWritable => Permissions[1] == 'w';

    public bool IsExecutable => Permissions[2] == 'x';

    public bool IsPrivate => Permissions[3] == 'p';

    /// <summary>The runtime's memory for code and what belongs to it, mapped once to write and once to execute (W^X).</summary>
    public bool IsDoubleMapped => Path.StartsWith("/memfd:doublemapper", StringComparison.Ordinal);

    /// <summary>A file on a disk.</summary>
    public bool IsFile => Path.StartsWith('/') && !Path.StartsWith("/memfd:", StringComparison.Ordinal) && !Path.StartsWith("/dev/", StringComparison.Ordinal);

    /// <summary>Private memory without a file, zero until it is written to. Not [vdso], [vvar] and [vsyscall], which are the kernel's.</summary>
    public bool IsAnonymous => IsPrivate && !Path.StartsWith('/') && !IsOfKernel;

    /// <summary>The path without <see cref="DeletedMark"/>.</summary>
    public static string WithoutDeleted(string path) => path.EndsWith(DeletedMark, StringComparison.Ordinal) ? path[..^DeletedMark.Length] : path;

    /// <summary>All mappings of a process, by address.</summary>
    /// <exception cref="IOException">The process has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">It belongs to another user.</exception>
    public static List<MemoryMapping> Of(int pid)
    {
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
        return new(start, end, words[1], offset, words.Length > 5 ? words[5] : "");
    }

    private static bool TryHex(ReadOnlySpan<char> text, out ulong value) => ulong.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value);
}
