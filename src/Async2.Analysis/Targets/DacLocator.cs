using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets;

/// <summary>
/// Chooses the DAC, the runtime's own native reader that must be loaded into this process. Trusted without asking: a runtime
/// installed on this machine whose build id equals the target's, and the runtime beside a live process of the same user.
/// A path that only stands in a dump is never trusted; there the user has to say <c>--dac FILE</c>.
/// </summary>
internal static class DacLocator
{
    public static string Find(ClrInfo clr, TargetOptions options, bool trustTargetPath)
    {
        string runtimePath = clr.ModuleInfo.FileName;
        if (options.DacPath is { } chosen)
        {
            return File.Exists(chosen) ? Path.GetFullPath(chosen) : throw new TargetException(
                Directory.Exists(chosen) ? $"'{chosen}' (given as --dac) is a folder." : $"There is no file '{chosen}' (given as --dac).",
                $"--dac wants the path of {FileName} itself.");
        }
        foreach (string folder in RuntimeInstalls.FrameworkFolders())
        {
            if (IsSameBuild(folder, clr) && DacIn(folder) is { } installed)
                return installed;
        }
        if (trustTargetPath && DacIn(Path.GetDirectoryName(runtimePath)) is { } beside)
            return beside;
        throw clr.BuildId.IsDefaultOrEmpty && OperatingSystem.IsLinux() ? Unidentified(runtimePath) : Missing(runtimePath);
    }

    private static string FileName
        => OperatingSystem.IsWindows() ? "mscordaccore.dll" : OperatingSystem.IsMacOS() ? "libmscordaccore.dylib" : "libmscordaccore.so";

    private static string? DacIn(string? folder)
        => folder is not null && Path.Combine(folder, FileName) is var path && File.Exists(path) ? path : null;

    private static bool IsSameBuild(string folder, ClrInfo clr)
    {
        if (clr.BuildId.IsDefaultOrEmpty)
            return OperatingSystem.IsWindows() && Path.GetFileName(folder) == VersionInPath(clr.ModuleInfo.FileName);
        byte[]? id = ElfBuildId.Read(Path.Combine(folder, "libcoreclr.so"));
        return id is not null && id.AsSpan().SequenceEqual(clr.BuildId.AsSpan());
    }

    /// <summary>Version in <c>.../Microsoft.NETCore.App/10.0.12/libcoreclr.so</c>; null for other layouts.</summary>
    public static string? VersionInPath(string runtimePath)
        => Path.GetFileName(Path.GetDirectoryName(runtimePath)) is { } folder && Version.TryParse(folder.Split('-')[0], out _) ? folder : null;

    private static TargetException Missing(string runtimePath) => new(
        $"The debugging library {FileName} of {NameOf(runtimePath)} is not installed on this machine (the target names '{runtimePath}', which is not trusted by itself).",
        $"install that runtime, or copy {FileName} from the target's machine and name it: --dac PATH/{FileName}");

    private static TargetException Unidentified(string runtimePath) => new(
        $"The target does not tell the build of its runtime (the memory with the build id of '{runtimePath}' is missing or damaged), so {FileName} cannot be chosen for it.",
        $"if you know that it is {NameOf(runtimePath)}, name that runtime's library: --dac PATH/{FileName}");

    private static string NameOf(string runtimePath) => VersionInPath(runtimePath) is { } version ? $".NET {version}" : "the target's .NET runtime";
}
