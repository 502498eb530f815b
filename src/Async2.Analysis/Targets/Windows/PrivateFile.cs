using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace Async2.Analysis.Targets.Windows;

/// <summary>
/// A new file that only its owner may read, from its first byte on, as one of mode 600 on Linux: what a process has in its memory is nobody else's business. Administrators and the system may
/// read it, as they may everything.
/// </summary>
[SupportedOSPlatform("windows")]
public static class PrivateFile
{
    /// <summary>Creates it.</summary>
    /// <exception cref="IOException">It exists, or cannot be created.</exception>
    /// <exception cref="UnauthorizedAccessException">That is not permitted.</exception>
    public static FileStream Create(string path)
        => new FileInfo(path).Create(FileMode.CreateNew, FileSystemRights.Write, FileShare.Read, 1 << 16, FileOptions.None, OwnerOnly<FileSecurity>());

    /// <summary>Creates a folder with the same rights, which files in it inherit; nothing happens if it exists.</summary>
    public static void CreateFolder(string path)
    {
        if (!Directory.Exists(path))
            new DirectoryInfo(path).Create(OwnerOnly<DirectorySecurity>());
    }

    private static T OwnerOnly<T>()
        where T : FileSystemSecurity, new()
    {
        var security = new T();
        // What the folder would hand down is not taken.
        security.SetAccessRuleProtection(isProtected: true, preserveInheritance: false);
        InheritanceFlags inheritance = security is DirectorySecurity ? InheritanceFlags.ContainerInherit | InheritanceFlags.ObjectInherit : InheritanceFlags.None;
        using WindowsIdentity own = WindowsIdentity.GetCurrent();
        IdentityReference[] readers = [own.User!, new SecurityIdentifier(WellKnownSidType.LocalSystemSid, null), new SecurityIdentifier(WellKnownSidType.BuiltinAdministratorsSid, null)];
        foreach (IdentityReference reader in readers)
            security.AddAccessRule(new FileSystemAccessRule(reader, FileSystemRights.FullControl, inheritance, PropagationFlags.None, AccessControlType.Allow));
        return security;
    }
}
