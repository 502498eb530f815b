using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Runtimes;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// The file system of a target's paths. A dump's paths are interpreted on this machine. A process in a container (another
/// mount namespace, or another root folder) sees other files: the same path is another file here, so its paths are
/// only opened below the process's own root folder, <c>/proc/PID/root</c>, which stays open when the process has ended.
/// </summary>
internal sealed class TargetFiles : IDisposable
{
    private readonly SafeFileHandle? _root;

    // For a process that changed its root folder without its own namespace, the kernel reports paths as they are here.
    private readonly string _prefix;
    private readonly HashSet<uint> _owners;

    private TargetFiles(bool isElsewhere, SafeFileHandle? root, string prefix, HashSet<uint> owners)
        => (IsElsewhere, _root, _prefix, _owners) = (isElsewhere, root, prefix, owners);

    /// <summary>The files of this machine, as this process sees them.</summary>
    public static TargetFiles Here { get; } = new(false, null, "", []);

    /// <summary>Paths name other files than here, or that is unknown.</summary>
    public bool IsElsewhere { get; }

    /// <summary>The root of the files as seen from here, <c>/proc/123/root</c>; empty for our own.</summary>
    public string Place { get; private init; } = "";

    /// <summary>The files of a process; none for a process that may not be read.</summary>
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

    /// <summary>Opens a regular file for reading; null if there is none, or it may not be read.</summary>
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

    /// <summary>Content of a regular file; null if it is not available.</summary>
    public byte[]? ReadAllBytes(string path) => RegularFile.ReadAll(Open(path));

    /// <summary>Whether a file of any kind exists.</summary>
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

    /// <summary>Deletes a file, or does nothing; for files created on our behalf.</summary>
    public void Delete(string path)
    {
        if (_root is null || Path.GetDirectoryName(Inside(path)) is not { Length: > 0 } above)
            return;
        using SafeFileHandle? folder = PathWalk.FindFolder(_root, above);
        if (folder is not null)
            LinuxFiles.Unlink(folder, Path.GetFileName(path));
    }

    /// <summary>Finds a file under the rules for code (<see cref="CodeFile"/>).</summary>
    public SafeFileHandle? FindCode(string path, PathWalk.EntryRejection objection, out string? refusal)
    {
        refusal = null;
        if (IsElsewhere)
            return _root is null ? null : PathWalk.Find(_root, Inside(path), objection, out refusal);
        using SafeFileHandle? root = LinuxFiles.Folder("/");
        return root is null ? null : PathWalk.Find(root, path, objection, out refusal);
    }

    /// <summary>The path under which a user of this machine finds a file of the target.</summary>
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

    // A file of another user than root, us, or the target's own user does not belong to the target.
    private string? OwnerRejection(FileFacts entry) => entry.IsRegular && !_owners.Contains(entry.Owner) ? "somebody else's" : null;
}
