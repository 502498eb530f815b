using System.Reflection;
using System.Runtime.Loader;

namespace Sos.Host;

/// <summary>The rules of the hosts' ServiceManager: some assemblies are always the host's own, of the same major; others lie beside the extension.</summary>
/// <param name="extension">The extension.</param>
/// <param name="contracts">Folder of the host's DebugServices.</param>
internal sealed class ExtensionLoadContext(string extension, string contracts) : AssemblyLoadContext
{
    private static readonly HashSet<string> Hosts =
    [
        "Microsoft.Diagnostics.DebugServices", "Microsoft.Diagnostics.DebugServices.Implementation", "Microsoft.Diagnostics.ExtensionCommands",
        "Microsoft.Diagnostics.NETCore.Client", "Microsoft.Diagnostics.Repl", "Microsoft.Diagnostics.Runtime", "Microsoft.FileFormats",
        "Microsoft.SymbolStore", "SOS.Extensions", "SOS.Hosting",
    ];

    protected override Assembly? Load(AssemblyName name)
    {
        if (Hosts.Contains(name.Name!))
        {
            string folder = name.Name == "Microsoft.Diagnostics.DebugServices" ? contracts : AppContext.BaseDirectory;
            Assembly own = Default.LoadFromAssemblyPath(Path.Join(folder, name.Name + ".dll"));
            return name.Version!.Major == own.GetName().Version!.Major ? own
                : throw new InvalidOperationException($"Extension assembly reference version not supported for {name.Name} {name.Version}");
        }
        string beside = Path.Join(Path.GetDirectoryName(extension), name.Name + ".dll");
        return File.Exists(beside) ? LoadFromAssemblyPath(beside) : null;
    }
}
