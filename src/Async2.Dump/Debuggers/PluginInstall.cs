using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Debuggers;

/// <summary>
/// Installs a plugin where a host looks for extensions, and removes it. The host treats every dll in that folder as an extension, so
/// only the plugin is there, and its libraries are one folder below (docs/decisions/0017-one-plugin-per-host-major.md).
/// </summary>
internal static class PluginInstall
{
    // ERROR_SHARING_VIOLATION, ERROR_USER_MAPPED_FILE
    private const int SharingViolation = 32;
    private const int UserMappedFile = 1224;

    // Suffix of incomplete files.
    private const string Half = ".new";

    /// <summary>Where a host looks.</summary>
    public static string FolderOf(SosHost host) => Path.Join(host.Folder, "extensions");

    /// <summary>Copies missing files.</summary>
    /// <param name="host">The host.</param>
    /// <param name="plugin">Folder with the plugin for it.</param>
    /// <returns>False if everything was already there.</returns>
    /// <exception cref="TargetException">The folder cannot be written to.</exception>
    public static bool Install(SosHost host, string plugin) => InFolder(host, folder =>
    {
        string below = PrivateIn(folder);
        Directory.CreateDirectory(below);
        bool any = RemoveOthers(below, plugin);
        // The plugin comes last: a host that starts meanwhile finds everything or nothing.
        foreach (string file in Directory.GetFiles(plugin, "*.dll").OrderBy(file => Path.GetFileName(file) == PluginFiles.Plugin))
        {
            string name = Path.GetFileName(file);
            any |= Copy(file, Path.Join(name == PluginFiles.Plugin ? folder : below, name));
        }
        return any;
    });

    /// <summary>Deletes the files that <see cref="Install"/> created.</summary>
    /// <returns>False if there was nothing.</returns>
    /// <exception cref="TargetException">The folder cannot be written to.</exception>
    public static bool Uninstall(SosHost host) => InFolder(host, folder =>
    {
        string plugin = Path.Join(folder, PluginFiles.Plugin), below = PrivateIn(folder);
        // Files of an interrupted copy may exist as well.
        string[] files = [.. ((string[])[plugin, plugin + Half]).Where(File.Exists)];
        bool any = files.Length > 0 || Directory.Exists(below);
        foreach (string file in files)
            File.Delete(file);
        if (Directory.Exists(below))
            Directory.Delete(below, recursive: true);
        if (Directory.Exists(folder) && !Directory.EnumerateFileSystemEntries(folder).Any())
            Directory.Delete(folder);
        return any;
    });

    private static string PrivateIn(string folder) => Path.Join(folder, Path.GetFileNameWithoutExtension(PluginFiles.Plugin));

    private static bool RemoveOthers(string below, string plugin)
    {
        bool any = false;
        foreach (string file in Directory.GetFiles(below))
        {
            if (File.Exists(Path.Join(plugin, Path.GetFileName(file))))
                continue;
            File.Delete(file);
            any = true;
        }
        return any;
    }

    private static bool Copy(string from, string to)
    {
        if (File.Exists(to) && new FileInfo(to).Length == new FileInfo(from).Length && File.ReadAllBytes(to).AsSpan().SequenceEqual(File.ReadAllBytes(from)))
            return false;
        // A host that has the old file loaded keeps it.
        string half = to + Half;
        try
        {
            File.Copy(from, half, overwrite: true);
            File.Move(half, to, overwrite: true);
            return true;
        }
        finally
        {
            File.Delete(half);
        }
    }

    private static bool InFolder(SosHost host, Func<string, bool> change)
    {
        string folder = FolderOf(host);
        try
        {
            return change(folder);
        }
        catch (Exception e) when (e is UnauthorizedAccessException or IOException)
        {
            throw new TargetException($"'{folder}' cannot be changed: {e.Message.TrimEnd('.')}.", FixOf(e, OperatingSystem.IsWindows()), e);
        }
    }

    /// <summary>The fix if a folder of plugins cannot be changed. Windows does not allow replacing a dll that a program has loaded.</summary>
    public static string FixOf(Exception e, bool isWindows)
    {
        bool isInUse = isWindows && (e is UnauthorizedAccessException || (e.HResult & 0xffff) is SharingViolation or UserMappedFile);
        return (isInUse ? "close the debuggers that have the plugin loaded (dotnet-dump, WinDbg, lldb), then run it again; if none is open, " : "")
            + "run as the user who owns it; or leave it as it is and name the plugin when you start the host: dotnet-async2 sos path";
    }
}
