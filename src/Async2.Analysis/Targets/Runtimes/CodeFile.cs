using System.Collections.Concurrent;
using Async2.Analysis.Targets.Elf;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Pe;
using Async2.Analysis.Targets.Processes;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Runtimes;

/// <summary>
/// A native library that may be loaded into this process without the user's word: a regular file of root or of the user who runs
/// this tool, that nobody else may write to, in folders of which the same is true up to the root. It is opened once, what was
/// opened is checked, and what was checked is loaded: on Linux by its descriptor, not by its name, which may be another file's by then; on Windows it stays
/// open, and so can neither be written to nor be renamed.
/// </summary>
internal sealed class CodeFile
{
    // The loader knows libraries by name: as long as one may be loaded, its descriptor must not become another file's.
    private static readonly ConcurrentDictionary<(ulong Device, ulong Inode), SafeFileHandle> Opened = new();

    private readonly SafeFileHandle? _file;

    private CodeFile(string name, string loadPath, SafeFileHandle? file) => (Name, LoadPath, _file) = (name, loadPath, file);

    /// <summary>Its path, for people.</summary>
    public string Name { get; }

    /// <summary>What to give the loader.</summary>
    public string LoadPath { get; }

    /// <summary>Says which build it is; null if it does not tell.</summary>
    public byte[]? BuildId => _file is null ? ElfBuildId.Read(LoadPath) : ElfBuildId.Read(_file);

    /// <summary>The headers of a library of Windows; null if it is none, or was not opened.</summary>
    public PeHeader? Header => _file is null ? null : PeFile.HeaderOf(_file);

    /// <summary>A file that the user named, on the user's word.</summary>
    public static CodeFile Chosen(string path) => new(path, Path.GetFullPath(path), null);

    /// <summary>Opens a library.</summary>
    /// <param name="files">Whose path it is.</param>
    /// <param name="path">Absolute.</param>
    /// <param name="isOurs">Our own user's files will do; on Windows, where there are processes of which that is not so.</param>
    /// <param name="refusal">Why it is not to be trusted, a sentence; null if it is, and when there is none.</param>
    /// <returns>Null if there is none, or it is not to be trusted.</returns>
    public static CodeFile? TryOpen(TargetFiles files, string path, out string? refusal, bool isOurs = true)
    {
        refusal = null;
        if (OperatingSystem.IsWindows())
            return WindowsCodeFile.TryOpen(path, isOurs, out SafeFileHandle? held, out string real, out refusal) ? new(real, real, held) : null;
        if (!OperatingSystem.IsLinux())
            return File.Exists(path) ? new(path, path, null) : null;
        string place = files.Place;
        using SafeFileHandle? mark = files.FindCode(path, (folder, entry, at) => EntryRejection(folder, entry, place + at), out refusal);
        if (mark is null || LinuxFiles.FactsOf(mark) is not { IsRegular: true } facts)
            return null;
        SafeFileHandle? file = RegularFile.Regular(LinuxFiles.Reopen(mark));
        if (file is null)
            return null;
        SafeFileHandle kept = Opened.GetOrAdd((facts.Device, facts.Inode), file);
        if (kept != file)
            file.Dispose();
        return new(files.NameHere(path), LinuxFiles.PathOf(kept), kept);
    }

    /// <summary>Why a file, or a folder on the way to it, lets others change what is loaded; null if it does not.</summary>
    public static string? EntryRejection(FileFacts folder, FileFacts entry, string path)
    {
        if (entry.Owner != 0 && entry.Owner != LinuxFiles.CurrentUser)
            return $"'{path}' belongs to {ProcFiles.UserText(entry.Owner)}";
        // In a sticky folder, /tmp, others may add but not replace; so what is a folder of ours there stays so.
        bool isShared = entry is { IsWritableByAll: true, IsSticky: true, IsFolder: true };
        if ((entry.IsWritableByAll && !isShared) || (entry.IsWritableByGroup && !isShared && !IsPrivateGroup(entry)))
            return $"others may write to '{path}'";
        return folder.IsWritableByAll && !entry.IsFolder ? $"others may write to the folder of '{path}'" : null;
    }

    // Where each user has a group of the same number, "writable by the group" says nothing about others (useradd(8), USERGROUPS_ENAB).
    private static bool IsPrivateGroup(FileFacts entry) => entry.Owner != 0 && entry.Owner == entry.Group && entry.Owner == LinuxFiles.CurrentUser;
}
