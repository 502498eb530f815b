using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Async2.Sos.Hosting;

/// <summary>
/// Finds the plugin's libraries where it is installed: hosts treat every dll in their extension folder as a plugin, so the libraries
/// are one folder below, named like the plugin. If they are beside the plugin, the host finds them itself.
/// </summary>
internal static class PrivateLibraries
{
    private const string Framework = "System.Collections.Immutable";

    [ModuleInitializer]
    [SuppressMessage("Usage", "CA2255", Justification = "Nothing of this assembly may run before its libraries can be found.")]
    internal static void Listen()
    {
        if (AssemblyLoadContext.GetLoadContext(typeof(PrivateLibraries).Assembly) is { } context)
            context.Resolving += Find;
    }

    private static Assembly? Find(AssemblyLoadContext context, AssemblyName name)
    {
        string plugin = typeof(PrivateLibraries).Assembly.Location;
        string path = Path.Join(Path.GetDirectoryName(plugin), Path.GetFileNameWithoutExtension(plugin), name.Name + ".dll");
        if (File.Exists(path))
            return context.LoadFromAssemblyPath(path);
        // ClrMD references System.Collections.Immutable of .NET 10, and hosts run on older versions, which are sufficient.
        return name is { Name: Framework, Version: not null } ? AssemblyLoadContext.Default.LoadFromAssemblyName(new AssemblyName(Framework)) : null;
    }
}
