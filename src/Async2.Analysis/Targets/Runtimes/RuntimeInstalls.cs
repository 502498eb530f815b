using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Async2.Analysis.Targets.Files;
using Microsoft.Win32;

namespace Async2.Analysis.Targets.Runtimes;

/// <summary>
/// The .NET runtimes installed on this machine, in the places where installers put them: the only code that may be loaded
/// into this process without the user's word.
/// </summary>
internal static class RuntimeInstalls
{
    private const string FrameworkFolder = "Microsoft.NETCore.App";

    /// <summary>
    /// The folder of the runtime that runs this tool; null if the tool is one file and has it inside: then no folder is to be
    /// trusted for it, least of all the one that happens to be the current.
    /// </summary>
    public static string? RunningFolder { get; } = FolderOf(CoreLibrary());

    /// <summary>The folder of a full path; null for none.</summary>
    public static string? FolderOf(string assembly) => Path.IsPathFullyQualified(assembly) ? Path.GetDirectoryName(assembly) : null;

    /// <summary>Folders of the form <c>ROOT/shared/Microsoft.NETCore.App/VERSION</c>, each once, in ordinal order.</summary>
    public static IReadOnlyList<string> FrameworkFolders()
    {
        var found = new SortedSet<string>(StringComparer.Ordinal);
        foreach (string root in Roots())
        {
            string frameworks = Path.Combine(root, "shared", FrameworkFolder);
            try
            {
                if (Directory.Exists(frameworks))
                    found.UnionWith(Directory.EnumerateDirectories(frameworks));
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // A root that may not be listed has nothing to offer.
            }
        }
        return [.. found];
    }

    // In one file "" is just what is asked for.
    [UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "An empty path is not a folder.")]
    private static string CoreLibrary() => typeof(object).Assembly.Location;

    private static IEnumerable<string> Roots()
    {
        if (Environment.GetEnvironmentVariable("DOTNET_ROOT") is { Length: > 0 } root)
            yield return root;
        // The runtime that runs this tool: .../shared/Microsoft.NETCore.App/VERSION/libcoreclr.so
        if (RunningFolder is { } running && Path.GetFullPath(Path.Combine(running, "..", "..", "..")) is { Length: > 1 } own)
            yield return own;
        string home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
        if (home.Length > 0)
            yield return Path.Combine(home, ".dotnet");
        foreach (string fixedRoot in OperatingSystem.IsWindows() ? WindowsRoots() : FixedRoots())
            yield return fixedRoot;
    }

    // The default, and where the installer noted another place (always in the 32-bit view of the registry).
    [SupportedOSPlatform("windows")]
    private static IEnumerable<string> WindowsRoots()
    {
        yield return Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.ProgramFiles), "dotnet");
        using RegistryKey machine = RegistryKey.OpenBaseKey(RegistryHive.LocalMachine, RegistryView.Registry32);
        using RegistryKey? installed = machine.OpenSubKey($@"SOFTWARE\dotnet\Setup\InstalledVersions\{RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant()}");
        if (installed?.GetValue("InstallLocation") is string { Length: > 0 } registered && TargetPath.IsLocal(registered))
            yield return registered;
    }

    // The documented default install locations, and the file in which a package names another one.
    private static IEnumerable<string> FixedRoots()
    {
        const string registration = "/etc/dotnet/install_location";
        if (File.Exists(registration) && File.ReadLines(registration).FirstOrDefault()?.Trim() is { Length: > 0 } registered)
            yield return registered;
        yield return "/usr/share/dotnet";
        yield return "/usr/lib/dotnet";
        yield return "/usr/lib64/dotnet";
        yield return "/usr/local/share/dotnet";
    }
}
