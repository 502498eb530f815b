using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Files;

/// <summary>Linux calls that open a file once and query exactly the opened file: openat(2), statx(2), readlinkat(2).</summary>
internal static unsafe partial class LinuxFiles
{
    // fcntl.h. Those that differ between processors are properties.
    private const int O_NONBLOCK = 0x800;
    private const int O_NOCTTY = 0x100;
    private const int O_CLOEXEC = 0x80000;
    private const int O_PATH = 0x200000;
    private const int AT_FDCWD = -100;
    private const int AT_EMPTY_PATH = 0x1000;
    private const uint STATX_BASIC_STATS = 0x7ff;
    private const int StatSize = 256;
    private const int LinkLimit = 4096;

    private static bool IsArm64 => RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    private static int O_NOFOLLOW => IsArm64 ? 0x8000 : 0x20000;

    private static int O_DIRECTORY => IsArm64 ? 0x4000 : 0x10000;

    /// <summary>The user whose rights this process has.</summary>
    public static uint CurrentUser { get; } = OperatingSystem.IsLinux() ? EffectiveUser() : 0;

    /// <summary>Opens a file for reading without blocking: a pipe without a writer would block. Null if that fails.</summary>
    public static SafeFileHandle? OpenWithoutWaiting(string path) => Valid(OpenAt(AT_FDCWD, path, O_NONBLOCK | O_NOCTTY | O_CLOEXEC));

    /// <summary>A folder as a starting point. Null if it does not exist or may not be read.</summary>
    public static SafeFileHandle? Folder(string path) => Valid(OpenAt(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC));

    /// <summary>A handle (O_PATH) of whatever a path leads to, without access to its content.</summary>
    public static SafeFileHandle? Mark(string path) => Valid(OpenAt(AT_FDCWD, path, O_PATH | O_CLOEXEC));

    /// <summary>The entry of a folder: a file, a folder or a link itself. Only a handle, without access to the content.</summary>
    public static SafeFileHandle? Entry(SafeFileHandle folder, string name) => Valid(OpenAt((int)folder.DangerousGetHandle(), name, O_PATH | O_NOFOLLOW | O_CLOEXEC));

    /// <summary>Removes an entry from a folder, if possible.</summary>
    public static void Unlink(SafeFileHandle folder, string name) => _ = UnlinkAt((int)folder.DangerousGetHandle(), name, 0);

    /// <summary>Opens the file of a handle for reading.</summary>
    public static SafeFileHandle? Reopen(SafeFileHandle mark) => OpenWithoutWaiting(PathOf(mark));

    /// <summary>A path by which this process, and its loader, find an open file again.</summary>
    public static string PathOf(SafeFileHandle file) => string.Create(CultureInfo.InvariantCulture, $"/proc/self/fd/{file.DangerousGetHandle()}");

    /// <summary>The target of an open link; null if it is not a link.</summary>
    public static string? LinkText(SafeFileHandle link)
    {
        byte* text = stackalloc byte[LinkLimit];
        nint length = ReadLinkAt((int)link.DangerousGetHandle(), "", text, LinkLimit);
        return length is > 0 and < LinkLimit ? Marshal.PtrToStringUTF8((nint)text, (int)length) : null;
    }

    /// <summary>The kernel's facts about an open file; null if they are not available.</summary>
    public static FileFacts? FactsOf(SafeFileHandle file)
    {
        byte* found = stackalloc byte[StatSize];
        if (Stat((int)file.DangerousGetHandle(), "", AT_EMPTY_PATH, STATX_BASIC_STATS, found) != 0)
            return null;
        // struct statx of linux/stat.h, the same on all processors.
        var all = new ReadOnlySpan<byte>(found, StatSize);
        ulong device = ((ulong)BinaryPrimitives.ReadUInt32LittleEndian(all[136..]) << 32) | BinaryPrimitives.ReadUInt32LittleEndian(all[140..]);
        return new(
            BinaryPrimitives.ReadUInt16LittleEndian(all[28..]),
            BinaryPrimitives.ReadUInt32LittleEndian(all[20..]),
            BinaryPrimitives.ReadUInt32LittleEndian(all[24..]),
            device,
            BinaryPrimitives.ReadUInt64LittleEndian(all[32..]),
            BinaryPrimitives.ReadInt64LittleEndian(all[40..]),
            BinaryPrimitives.ReadUInt32LittleEndian(all[16..]));
    }

    private static SafeFileHandle? Valid(SafeFileHandle handle)
    {
        if (!handle.IsInvalid)
            return handle;
        handle.Dispose();
        return null;
    }

    [LibraryImport("libc", EntryPoint = "openat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial SafeFileHandle OpenAt(int folder, string path, int flags);

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Stat(int folder, string path, int flags, uint wanted, byte* found);

    [LibraryImport("libc", EntryPoint = "readlinkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint ReadLinkAt(int link, string path, byte* text, nuint size);

    [LibraryImport("libc", EntryPoint = "unlinkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int UnlinkAt(int folder, string name, int flags);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial uint EffectiveUser();
}

/// <summary>The kernel's facts about an open file.</summary>
/// <param name="Mode">Kind and permissions (inode(7)).</param>
/// <param name="Owner">User id.</param>
/// <param name="Group">Group id.</param>
/// <param name="Device">The file system it is on.</param>
/// <param name="Inode">Its number there.</param>
/// <param name="Size">Bytes.</param>
/// <param name="Links">Names it has.</param>
public readonly record struct FileFacts(ushort Mode, uint Owner, uint Group, ulong Device, ulong Inode, long Size, uint Links)
{
    private const int KindMask = 0xf000;

    /// <summary>A regular file.</summary>
    public bool IsRegular => (Mode & KindMask) == 0x8000;

    /// <summary>A folder.</summary>
    public bool IsFolder => (Mode & KindMask) == 0x4000;

    /// <summary>A symbolic link itself.</summary>
    public bool IsLink => (Mode & KindMask) == 0xa000;

    /// <summary>A terminal, <c>/dev/null</c>, ...</summary>
    public bool IsCharacterDevice => (Mode & KindMask) == 0x2000;

    /// <summary>A pipe, with a name or without.</summary>
    public bool IsPipe => (Mode & KindMask) == 0x1000;

    /// <summary>A folder in which only the owner of an entry may rename or remove it.</summary>
    public bool IsSticky => (Mode & 0x200) != 0;

    /// <summary>Its group may write to it.</summary>
    public bool IsWritableByGroup => (Mode & 0x10) != 0;

    /// <summary>Everybody may write to it.</summary>
    public bool IsWritableByAll => (Mode & 0x02) != 0;

    /// <summary>Facts about the target of a path, links followed; on Linux. Null if there is none, or nothing is known.</summary>
    public static FileFacts? Of(string path)
    {
        using SafeFileHandle? mark = LinuxFiles.Mark(path);
        return mark is null ? null : LinuxFiles.FactsOf(mark);
    }
}
