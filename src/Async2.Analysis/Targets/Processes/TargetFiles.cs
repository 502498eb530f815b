using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Runtimes;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// The file system that paths of a target are paths of. A dump's are taken for paths of this machine. A process in a container (another
/// mount namespace, or another root folder) sees files that are not ours: what has the same path here is another file, so it is only
/// ever looked for below the process's own root folder, <c>/proc/PID/root</c>, which stays open here when the process has ended.
/// </summary>
internal sealed class TargetFiles : IDisposable
{
    private readonly SafeFileHandle? _root;

    // Of a process that changed its root folder without a namespace of its own, the kernel tells paths as they are here.
    private readonly string _prefix;
    private readonly HashSet<uint> _owners;

    private TargetFiles(bool isElsewhere, SafeFileHandle? root, string prefix, HashSet<uint> owners)
        => (IsElsewhere, _root, _prefix, _owners) = (isElsewhere, root, prefix, owners);

    /// <summary>The files of this machine, as this process sees them.</summary>
    public static TargetFiles Here { get; } = new(false, null, "", []);

    /// <summary>Paths name other files than here, or it cannot be told.</summary>
    public bool IsElsewhere { get; }

    /// <summary>Where the files are seen from here, <c>/proc/123/root</c>; empty for our own.</summary>
    public string Place { get; private init; } = "";

    /// <summary>The files of a process; one that we may not ask about has none.</summary>
    public static TargetFiles Of(int pid)
    {
        if (!OperatingSystem.IsLinux())
            return Here;
        string place = FormattableString.Invariant($"/proc/{pid}/root");
        SafeFileHandle? root = LinuxFiles.Folder(place);
        string prefix = UntrustedBytes.Read(place, () => new FileInfo(place).LinkTarget) ?? "";
        if (ProcFiles.IsInOurNamespace(pid, "mnt") && root is not null && IsOurRoot(root))
        {
            root.Dispose();
            return Here;
        }
        return new(true, root, prefix == "/" ? "" : prefix, [0, LinuxFiles.CurrentUser, .. ProcFiles.Owners(pid)]) { Place = place };
    }

    /// <summary>Opens a regular file for reading; null when there is none, or none that may be read.</summary>
    /// <param name="path">Here also a relative one, so a path that the target names has to be looked at first (<see cref="TargetPath.IsLocal"/>).</param>
    public SafeFileHandle? Open(string path)
    {
        if (!IsElsewhere)
            return RegularFile.Open(path);
        if (_root is null || !path.StartsWith('/'))
            return null;
        using SafeFileHandle? mark = PathWalk.Find(_root, Inside(path), (_, entry, _) => OwnerRejection(entry), out _);
        return mark is null ? null : RegularFile.Regular(LinuxFiles.Reopen(mark));
    }

    /// <summary>All of a regular file; null when it cannot be had.</summary>
    public byte[]? ReadAllBytes(string path) => RegularFile.ReadAll(Open(path));

    /// <summary>Whether there is a file, of whatever kind.</summary>
    public bool Exists(string path)
    {
        if (!IsElsewhere)
            return UntrustedBytes.Read(path, () => File.Exists(path));
        using SafeFileHandle? file = Open(path);
        return file is not null;
    }

    /// <summary>Whether a path names something that is not a folder, a socket for one.</summary>
    public bool HasEntry(string path)
    {
        if (!IsElsewhere)
            return Exists(path);
        using SafeFileHandle? mark = _root is null || !path.StartsWith('/') ? null : PathWalk.Find(_root, Inside(path), (_, _, _) => null, out _);
        return mark is not null;
    }

    /// <summary>Deletes a file, or does nothing; for files that were made on our behalf.</summary>
    public void Delete(string path)
    {
        if (_root is null || Path.GetDirectoryName(Inside(path)) is not { Length: > 0 } above)
            return;
        using SafeFileHandle? folder = PathWalk.FindFolder(_root, above);
        if (folder is not null)
            LinuxFiles.Unlink(folder, Path.GetFileName(path));
    }

    /// <summary>Looks for a file under the rules for code (<see cref="CodeFile"/>).</summary>
    public SafeFileHandle? FindCode(string path, PathWalk.EntryRejection objection, out string? refusal)
    {
        refusal = null;
        if (IsElsewhere)
            return _root is null ? null : PathWalk.Find(_root, Inside(path), objection, out refusal);
        using SafeFileHandle? root = LinuxFiles.Folder("/");
        return root is null ? null : PathWalk.Find(root, path, objection, out refusal);
    }

    /// <summary>How to name a file of the target to somebody here.</summary>
    public string NameHere(string path) => IsElsewhere ? Place + Inside(path) : path;

    /// <inheritdoc/>
    public void Dispose() => _root?.Dispose();

    private static bool IsOurRoot(SafeFileHandle root)
    {
        using SafeFileHandle? ours = LinuxFiles.Folder("/");
        return ours is not null && LinuxFiles.FactsOf(ours) is { } own && LinuxFiles.FactsOf(root) is { } theirs && (own.Device, own.Inode) == (theirs.Device, theirs.Inode);
    }

    private string Inside(string path)
        => _prefix.Length > 0 && path.StartsWith(_prefix + "/", StringComparison.Ordinal) ? path[_prefix.Length..] : path;

    // A file of neither root, nor us, nor the target's own user is none of the target's.
    private string? OwnerRejection(FileFacts entry) => entry.IsRegular && !_owners.Contains(entry.Owner) ? "somebody else's" : null;
}
