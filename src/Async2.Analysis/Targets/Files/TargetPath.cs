using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Targets.Files;

/// <summary>
/// Paths from a target. They may be of another system, and a malicious dump may name a file on the
/// attacker's server: opening it on Windows would send the user's credentials there.
/// </summary>
public static class TargetPath
{
    private static readonly char[] Separators = ['/', '\\'];

    /// <summary>Last part of the path, in the format of any system; null if it cannot be a file name here.</summary>
    internal static string? FileName(string path)
    {
        var name = path[(path.LastIndexOfAny(Separators) + 1)..];
        var usable = name.Length is > 0 and <= 255 && name is not ("." or "..")
            && name.IndexOfAny(Path.GetInvalidFileNameChars()) < 0 && !name.Contains(':', StringComparison.Ordinal);
        return usable ? name : null;
    }

    /// <summary>Directory of a path that is valid on this machine, or null.</summary>
    internal static string? DirectoryOf(string? path) =>
        path is not null && IsLocal(path) ? UntrustedBytes.Read(path, () => Path.GetDirectoryName(path)) : null;

    /// <summary>True for full paths on a disk of this machine. Relative ones would mean our own working directory.</summary>
    public static bool IsLocal(string path)
    {
        if (path.Length == 0 || path.Contains('\0', StringComparison.Ordinal) || !Path.IsPathFullyQualified(path)) return false;
        return !OperatingSystem.IsWindows() || IsLocalOnWindows(path);
    }

    /// <summary>Two leading separators begin a UNC or device path; a drive letter may stand for a share.</summary>
    internal static bool IsLocalOnWindows(string path)
    {
        if (path.Length < 3 || !char.IsAsciiLetter(path[0]) || path[1] != ':' || !Separators.Contains(path[2])) return false;
        return UntrustedBytes.Read(path, () => new DriveInfo(path[..2]).DriveType is DriveType.Fixed or DriveType.Removable or DriveType.Ram);
    }
}
