using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.Modules;

/// <summary>Interfaces of types of the target, from metadata.</summary>
internal sealed class InterfaceNames(LoadedModules modules)
{
    /// <summary>Full names without type arguments, of those that the type names itself; empty where metadata is unreadable.</summary>
    public IReadOnlyList<string> Of(ClrType type)
        => type.Module is { } module && modules.Of(module).Metadata is { } metadata ? metadata.InterfacesOf(type.MetadataToken) : [];
}
