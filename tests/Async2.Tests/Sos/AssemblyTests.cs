using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Async2.Tests.House;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Sos;

/// <summary>What the built plugins refer to: a host that lacks it fails only when it gets there.</summary>
public sealed class AssemblyTests
{
    private const string Immutable = "System.Collections.Immutable";

    [Fact]
    public void An_older_framework_than_the_requested_one_is_accepted()
    {
        var context = new AssemblyLoadContext(null);
        Assembly plugin = context.LoadFromAssemblyPath(SosHost.PluginFor(10));
        var newer = new AssemblyName(Immutable) { Version = new Version(99, 0, 0, 0) };
        Assert.Throws<FileNotFoundException>(() => context.LoadFromAssemblyName(newer));
        RuntimeHelpers.RunModuleConstructor(plugin.ManifestModule.ModuleHandle);
        Assert.Same(typeof(ImmutableArray).Assembly, context.LoadFromAssemblyName(newer));
    }

    [Theory]
    [MemberData(nameof(SosHost.Majors), MemberType = typeof(SosHost))]
    public void Nothing_is_used_that_a_host_lacks(int major)
    {
        string folder = Path.GetDirectoryName(SosHost.PluginFor(major))!;
        Assert.Equal(["Async2.Analysis.dll", "Async2.Sos.dll", "Iced.dll"], Directory.GetFileSystemEntries(folder).Select(Path.GetFileName).Order(StringComparer.Ordinal));
        foreach (string file in (string[])["Async2.Sos.dll", "Async2.Analysis.dll"])
        {
            using FileStream stream = File.OpenRead(Path.Join(folder, file));
            Rule.Holds(HostApi.Violations(AssemblyUses.Of(stream)));
        }
    }

    [Theory]
    [MemberData(nameof(SosHost.Majors), MemberType = typeof(SosHost))]
    public void Versions_are_those_that_a_host_takes(int major)
    {
        string folder = Path.GetDirectoryName(SosHost.PluginFor(major))!;
        foreach (string file in Directory.GetFiles(folder))
            Rule.Holds(References(file).Where(reference => !Fits(reference, major, folder)).Select(reference => $"{Path.GetFileName(file)} refers to {reference.Name} {reference.Version}"));
        Assert.Contains(References(SosHost.PluginFor(major)), reference => reference.Name == "Microsoft.Diagnostics.DebugServices");
    }

    // A host compares the major of what is its own. What is .NET's must not be newer than the oldest runtime that a host runs on.
    private static bool Fits((string Name, Version Version) reference, int major, string folder) => reference.Name switch
    {
        "Microsoft.Diagnostics.DebugServices" => reference.Version == new Version(major, 0, 0, 0),
        "Microsoft.Diagnostics.Runtime" => reference.Version.Major == 4,
        // Of processes that no debugger holds: never reached in a host.
        "Microsoft.Diagnostics.NETCore.Client" => true,
        // What ClrMD itself is compiled against; see PrivateLibraries.
        Immutable => reference.Version.Major <= 10,
        _ => File.Exists(Path.Join(folder, reference.Name + ".dll")) || (IsFramework(reference.Name) && reference.Version.Major <= 8),
    };

    private static bool IsFramework(string name) => name is "netstandard" or "Microsoft.Win32.Primitives" or "Microsoft.Win32.Registry" || name.StartsWith("System.", StringComparison.Ordinal);

    private static List<(string Name, Version Version)> References(string path)
    {
        using FileStream stream = File.OpenRead(path);
        using var file = new PEReader(stream);
        MetadataReader reader = file.GetMetadataReader();
        return [.. reader.AssemblyReferences.Select(reader.GetAssemblyReference).Select(reference => (reader.GetString(reference.Name), reference.Version))];
    }
}
