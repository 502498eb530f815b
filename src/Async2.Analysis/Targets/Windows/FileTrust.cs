using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace Async2.Analysis.Targets.Windows;

/// <summary>
/// Who may change a file, or put another one in its place: by the owners and access lists of the file and of the folders that lead to it. Trusted are the system,
/// its installer, administrators, and our user, unless we run with rights that the user's other programs do not have.
/// </summary>
[SupportedOSPlatform("windows")]
internal static class FileTrust
{
    // NT SERVICE\TrustedInstaller, to whom the files of Windows belong.
    private const string Installer = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";

    // S-1-3-0 and S-1-3-4: the creator of something in the folder, and its owner, who is checked there.
    private const string CreatorOwner = "S-1-3-0", OwnerRights = "S-1-3-4";

    private const FileSystemRights ChangesEntry = FileSystemRights.Delete | FileSystemRights.ChangePermissions | FileSystemRights.TakeOwnership;
    private const FileSystemRights ChangesFile = ChangesEntry | FileSystemRights.WriteData | FileSystemRights.AppendData;

    // Of a folder on the way: to take what is in it away. In the last one also to add a file, which a library may load.
    private const FileSystemRights ChangesFolder = ChangesEntry | FileSystemRights.DeleteSubdirectoriesAndFiles;
    private const FileSystemRights AddsFiles = FileSystemRights.CreateFiles;

    private static readonly HashSet<string> Administrators =
        [new SecurityIdentifier(WellKnownSidType.LocalSystemSid, null).Value, new SecurityIdentifier(WellKnownSidType.BuiltinAdministratorsSid, null).Value, Installer];

    /// <summary>Why a file is not to be trusted, a sentence; null if it is.</summary>
    /// <param name="file">The open file: as long as it is, neither it nor a folder above it can be renamed.</param>
    /// <param name="path">Its path without links.</param>
    /// <param name="isOurs">Our user's own files will do.</param>
    public static string? Rejection(FileStream file, string path, bool isOurs)
    {
        HashSet<string> trusted = [.. Administrators];
        if (isOurs && WindowsToken.Own is { IsElevated: false } own)
            trusted.Add(own.User);
        if (Rejection(file.GetAccessControl(), path, ChangesFile, trusted) is { } why)
            return why;
        var folder = new DirectoryInfo(Path.GetDirectoryName(path)!);
        if (Rejection(folder.GetAccessControl(), folder.FullName, ChangesFolder | AddsFiles, trusted) is { } inFolder)
            return inFolder;
        for (DirectoryInfo? above = folder.Parent; above is not null; above = above.Parent)
        {
            if (Rejection(above.GetAccessControl(), above.FullName, above.Parent is null ? ChangesFolder & ~ChangesEntry : ChangesFolder, trusted) is { } further)
                return further;
        }
        return null;
    }

    /// <summary>The same for one of them, by its security descriptor.</summary>
    /// <param name="security">Whose it is, and who may do what.</param>
    /// <param name="path">For the sentence.</param>
    /// <param name="changes">The rights that nobody else may have.</param>
    /// <param name="trusted">Security identifiers.</param>
    internal static string? Rejection(FileSystemSecurity security, string path, FileSystemRights changes, IReadOnlySet<string> trusted)
    {
        if (security.GetOwner(typeof(SecurityIdentifier)) is not SecurityIdentifier owner)
            return $"nobody knows to whom '{path}' belongs";
        if (!trusted.Contains(owner.Value))
            return $"'{path}' belongs to {WindowsToken.NameOf(owner.Value)}";
        foreach (FileSystemAccessRule rule in security.GetAccessRules(includeExplicit: true, includeInherited: true, typeof(SecurityIdentifier)))
        {
            bool isHere = !rule.PropagationFlags.HasFlag(PropagationFlags.InheritOnly);
            if (isHere && rule.AccessControlType == AccessControlType.Allow && (rule.FileSystemRights & changes) != 0
                && rule.IdentityReference.Value is var who && !trusted.Contains(who) && who is not (CreatorOwner or OwnerRights))
                return $"{WindowsToken.NameOf(who)} may change '{path}'";
        }
        return null;
    }
}
