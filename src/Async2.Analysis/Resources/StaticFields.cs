using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Resources;

/// <summary>Static fields of the program's own types, and the objects in them. Only types that have static fields in metadata are read from the runtime.</summary>
/// <param name="target">Has them.</param>
/// <param name="modules">Its modules.</param>
internal sealed class StaticFields(Target target, LoadedModules modules)
{
    // Each type costs a call of the runtime's data access library.
    private const int TypeLimit = 5_000;

    private IReadOnlyList<(string Name, ulong Address)>? _all;

    /// <summary><c>Shop.Gates.Till</c> and the object there; read when first asked for.</summary>
    public IReadOnlyList<(string Name, ulong Address)> All => _all ??= Read();

    /// <summary>There were more types than are asked about.</summary>
    public bool IsCut { get; private set; }

    private List<(string Name, ulong Address)> Read()
    {
        var found = new List<(string, ulong)>();
        int types = 0;
        ClrAppDomain? domain = target.Runtime.AppDomains.FirstOrDefault();
        foreach (LoadedModule module in modules.OfUser().OrderBy(module => module.FileName, StringComparer.Ordinal))
        {
            foreach (int token in module.Metadata?.TypesWithStaticReferences() ?? [])
            {
                if (domain is null || types++ >= TypeLimit)
                    break;
                if (TypeLookup.Of(target.Runtime, module.MethodTableOf(token)) is { } type)
                    Add(found, type, domain);
            }
        }
        IsCut = types > TypeLimit;
        return found;
    }

    private void Add(List<(string, ulong)> found, ClrType type, ClrAppDomain domain)
    {
        string? owner = type.Name is { } name ? TypeName.Short(TypeName.FromRuntimeName(name)) : null;
        foreach (ClrStaticField field in type.StaticFields)
        {
            if (!field.IsObjectReference || owner is null || TypeShape.NameOf(field.Name) is not { } shown)
                continue;
            ulong slot = field.GetAddress(domain);
            if (slot != 0 && target.Memory.TryReadPointer(slot, out ulong address) && address != 0)
                found.Add(($"{owner}.{shown}", address));
        }
    }
}
