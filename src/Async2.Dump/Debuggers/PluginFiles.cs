using System.Globalization;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Debuggers;

/// <summary>The plugins that come with this tool: one folder for each major version of the hosts.</summary>
internal static class PluginFiles
{
    /// <summary>File name of the plugin itself; other files in its folder are private to it.</summary>
    public const string Plugin = "Async2.Sos.dll";

    private static string Root => Path.Join(AppContext.BaseDirectory, "sos");

    /// <summary>Major versions of hosts for which there is a plugin, ascending.</summary>
    public static int[] Majors => !Directory.Exists(Root) ? []
        : [.. Directory.GetDirectories(Root).Select(folder => int.Parse(Path.GetFileName(folder), CultureInfo.InvariantCulture)).Order()];

    /// <summary>The folder for hosts of a major version.</summary>
    /// <exception cref="TargetException">There is none.</exception>
    public static string FolderFor(int major)
    {
        string folder = Path.Join(Root, major.ToString(CultureInfo.InvariantCulture));
        return File.Exists(Path.Join(folder, Plugin)) ? folder : throw new TargetException(
            $"There is no plugin for hosts of version {major.ToString(CultureInfo.InvariantCulture)}: this version of dotnet-async2 has those for {string.Join(", ", Majors)}.",
            major > Majors.DefaultIfEmpty().Max() ? "update dotnet-async2: dotnet tool update --global dotnet-async2"
                : "update the host: dotnet tool update --global dotnet-dump, or dotnet-sos install of a newer dotnet-sos");
    }
}
