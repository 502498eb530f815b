using System.Buffers;
using System.Globalization;
using System.Text;
using Microsoft.Win32.SafeHandles;

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
    private const int PermissionLength = 4;
    private const int UsualBytes = 1 << 18;
    private static readonly string[] UsualPermissions = ["rw-p", "r--p", "r-xp", "---p", "rw-s", "r--s", "r-xs"];

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
        byte[] buffer = ArrayPool<byte>.Shared.Rent(UsualBytes);
        try
        {
            return Parse(ReadAll(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/maps"), ref buffer));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    // A process may be stopped meanwhile, so what is big is used again.
    private static ReadOnlySpan<byte> ReadAll(string path, ref byte[] buffer)
    {
        using SafeFileHandle file = File.OpenHandle(path);
        int length = 0;
        for (int read; (read = RandomAccess.Read(file, buffer.AsSpan(length), length)) > 0; length += read)
        {
            if (length + read < buffer.Length)
                continue;
            byte[] larger = ArrayPool<byte>.Shared.Rent(2 * buffer.Length);
            buffer.CopyTo(larger, 0);
            ArrayPool<byte>.Shared.Return(buffer);
            buffer = larger;
        }
        return buffer.AsSpan(0, length);
    }

    // Of what several lines have in common text is made once.
    private static List<MemoryMapping> Parse(ReadOnlySpan<byte> rest)
    {
        var all = new List<MemoryMapping>();
        ReadOnlySpan<byte> known = [];
        string path = "";
        while (!rest.IsEmpty)
        {
            int end = rest.IndexOf((byte)'\n');
            ReadOnlySpan<byte> line = end < 0 ? rest : rest[..end];
            rest = end < 0 ? [] : rest[(end + 1)..];
            if (Parse(line, out ReadOnlySpan<byte> name) is not { } mapping)
                continue;
            if (!name.SequenceEqual(known))
                path = Encoding.UTF8.GetString(known = name);
            all.Add(mapping with { Kind = KindOf(path), Path = path });
        }
        return all;
    }

    // "7f12-7f34 rw-p 00001000 fd:00 1234      /path with blanks"
    private static MemoryMapping? Parse(ReadOnlySpan<byte> line, out ReadOnlySpan<byte> path)
    {
        ReadOnlySpan<byte> range = Word(ref line), permissions = Word(ref line), place = Word(ref line);
        _ = Word(ref line);
        bool isWhole = !Word(ref line).IsEmpty;
        path = line.TrimStart((byte)' ');
        int dash = range.IndexOf((byte)'-');
        return isWhole && dash >= 0 && permissions.Length >= PermissionLength && TryHex(range[..dash], out ulong start) && TryHex(range[(dash + 1)..], out ulong end)
            && TryHex(place, out ulong offset) && end > start ? new(start, end, MappingKind.Anonymous, PermissionsOf(permissions), offset, "") : null;
    }

    private static string PermissionsOf(ReadOnlySpan<byte> bytes)
    {
        foreach (string usual in UsualPermissions)
        {
            if (Ascii.Equals(bytes, usual))
                return usual;
        }
        return Encoding.UTF8.GetString(bytes);
    }

    private static ReadOnlySpan<byte> Word(ref ReadOnlySpan<byte> line)
    {
        line = line.TrimStart((byte)' ');
        int end = line.IndexOf((byte)' ');
        ReadOnlySpan<byte> word = end < 0 ? line : line[..end];
        line = line[word.Length..];
        return word;
    }

    // Not [vdso], [vvar] and [vsyscall], which are the kernel's.
    private static MappingKind KindOf(string path) => path switch
    {
        _ when path.StartsWith("/memfd:doublemapper", StringComparison.Ordinal) => MappingKind.DoubleMapped,
        _ when path.StartsWith("/memfd:", StringComparison.Ordinal) || path.StartsWith("/dev/", StringComparison.Ordinal) || path.StartsWith(KernelMark, StringComparison.Ordinal) => MappingKind.Other,
        ['/', ..] => MappingKind.File,
        _ => MappingKind.Anonymous,
    };

    private static bool TryHex(ReadOnlySpan<byte> text, out ulong value) => ulong.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value);
}
