using System.Reflection;
using System.Text.Json;

namespace Async2.Dump.Debuggers;

/// <summary>An installed program that runs SOS plugins.</summary>
/// <param name="Name">Its name for <c>--host</c>.</param>
/// <param name="Folder">Where its libraries are; plugins go into a folder below.</param>
/// <param name="Version">Version of the library that plugins are compiled against.</param>
internal sealed record SosHost(string Name, string Folder, Version Version)
{
    /// <summary>dotnet-dump: the global tool, and the one in the current folder's tool manifest.</summary>
    public const string DotnetDump = "dotnet-dump";

    /// <summary>SOS for lldb and WinDbg, as installed by dotnet-sos.</summary>
    public const string Sos = "sos";

    private const string Library = "Microsoft.Diagnostics.DebugServices.dll";

    /// <summary>The hosts of a user, or those of one kind.</summary>
    /// <param name="home">The user's folder.</param>
    /// <param name="name">The kind; null for all.</param>
    public static List<SosHost> Find(string home, string? name)
    {
        var hosts = new List<SosHost>();
        if (name is null or DotnetDump)
        {
            AddBelow(DotnetDump, StoreOf(home), hosts);
            if (LocalTool(Environment.CurrentDirectory) is { } package)
                AddBelow(DotnetDump, package, hosts);
        }
        if (name is null or Sos)
            Add(Sos, SosFolderOf(home), hosts);
        return hosts;
    }

    /// <summary>The hosts in a folder, at any depth: installed by <c>dotnet tool install --tool-path</c>, or unpacked.</summary>
    public static List<SosHost> In(string folder, string? name)
    {
        var hosts = new List<SosHost>();
        AddBelow(name ?? DotnetDump, folder, hosts);
        return hosts;
    }

    /// <summary>Where global tools keep dotnet-dump.</summary>
    public static string StoreOf(string home) => Path.Join(home, ".dotnet", "tools", ".store", DotnetDump);

    /// <summary>Where dotnet-sos puts SOS.</summary>
    public static string SosFolderOf(string home) => Path.Join(home, ".dotnet", "sos");

    // A local tool runs from NuGet's package folder, in the version of the nearest manifest.
    private static string? LocalTool(string folder)
    {
        for (string? at = folder; at is not null; at = Path.GetDirectoryName(at))
        {
            foreach (string manifest in (string[])[Path.Join(at, ".config", "dotnet-tools.json"), Path.Join(at, "dotnet-tools.json")])
            {
                if (File.Exists(manifest) && VersionIn(manifest) is { } version)
                    return Path.Join(Packages, DotnetDump, version);
            }
        }
        return null;
    }

    private static string? VersionIn(string manifest)
    {
        try
        {
            using var json = JsonDocument.Parse(File.ReadAllBytes(manifest));
            // It becomes part of a path.
            return json.RootElement.GetProperty("tools").GetProperty(DotnetDump).GetProperty("version").GetString() is { } version
                && version.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '+') && !version.Contains("..", StringComparison.Ordinal) ? version : null;
        }
        catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException or IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string Packages => Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } packages ? packages
        : Path.Join(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    // .store/dotnet-dump/VERSION/dotnet-dump/VERSION/tools/FRAMEWORK/any
    private static void AddBelow(string name, string folder, List<SosHost> hosts)
    {
        if (!Directory.Exists(folder))
            return;
        string[] found = Directory.GetFiles(folder, Library, new EnumerationOptions { RecurseSubdirectories = true, IgnoreInaccessible = true, AttributesToSkip = FileAttributes.ReparsePoint });
        Array.Sort(found, StringComparer.Ordinal);
        foreach (string library in found)
            Add(name, Path.GetDirectoryName(library)!, hosts);
    }

    private static void Add(string name, string folder, List<SosHost> hosts)
    {
        string library = Path.Join(folder, Library);
        if (File.Exists(library) && AssemblyName.GetAssemblyName(library).Version is { } version)
            hosts.Add(new SosHost(name, folder, version));
    }
}
