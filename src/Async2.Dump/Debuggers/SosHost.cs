using System.Reflection;

namespace Async2.Dump.Debuggers;

/// <summary>An installed program that runs plugins of SOS.</summary>
/// <param name="Name">What <c>--host</c> calls it.</param>
/// <param name="Folder">Where its libraries are; plugins go into a folder below.</param>
/// <param name="Version">Version of the library that plugins are compiled against.</param>
internal sealed record SosHost(string Name, string Folder, Version Version)
{
    /// <summary>dotnet-dump, the global tool.</summary>
    public const string DotnetDump = "dotnet-dump";

    /// <summary>SOS for lldb and WinDbg, as dotnet-sos installs it.</summary>
    public const string Sos = "sos";

    private const string Library = "Microsoft.Diagnostics.DebugServices.dll";

    /// <summary>The hosts of a user, or those of one kind.</summary>
    /// <param name="home">The user's folder.</param>
    /// <param name="name">The kind; null for all.</param>
    public static List<SosHost> Find(string home, string? name)
    {
        var hosts = new List<SosHost>();
        if (name is null or DotnetDump)
            AddTools(StoreOf(home), hosts);
        if (name is null or Sos)
            Add(Sos, SosFolderOf(home), hosts);
        return hosts;
    }

    /// <summary>Where global tools keep dotnet-dump.</summary>
    public static string StoreOf(string home) => Path.Join(home, ".dotnet", "tools", ".store", DotnetDump);

    /// <summary>Where dotnet-sos puts SOS.</summary>
    public static string SosFolderOf(string home) => Path.Join(home, ".dotnet", "sos");

    // .store/dotnet-dump/VERSION/dotnet-dump/VERSION/tools/FRAMEWORK/any
    private static void AddTools(string store, List<SosHost> hosts)
    {
        if (!Directory.Exists(store))
            return;
        string[] found = Directory.GetFiles(store, Library, SearchOption.AllDirectories);
        Array.Sort(found, StringComparer.Ordinal);
        foreach (string library in found)
            Add(DotnetDump, Path.GetDirectoryName(library)!, hosts);
    }

    private static void Add(string name, string folder, List<SosHost> hosts)
    {
        string library = Path.Join(folder, Library);
        if (File.Exists(library) && AssemblyName.GetAssemblyName(library).Version is { } version)
            hosts.Add(new SosHost(name, folder, version));
    }
}
