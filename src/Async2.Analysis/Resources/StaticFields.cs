using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Resources;

/// <summary>Static fields of the program's own types, and the objects in them. Only types that have static fields in metadata are read from the runtime.</summary>
internal static class StaticFields
{
    // Each type costs a call of the runtime's data access library.
    private const int TypeLimit = 5_000;

    /// <summary><c>Shop.Gates</c> and the object there.</summary>
    /// <param name="target">Has them.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="isCut">There were more types than are asked about.</param>
    public static IReadOnlyList<(string Name, ulong Address)> Of(Target target, LoadedModules modules, out bool isCut)
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
                    Add(found, target, type, domain);
            }
        }
        isCut = types > TypeLimit;
        return found;
    }

    private static void Add(List<(string, ulong)> found, Target target, ClrType type, ClrAppDomain domain)
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
