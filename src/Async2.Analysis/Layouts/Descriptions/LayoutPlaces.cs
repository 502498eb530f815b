using System.Text;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Libraries;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>Gives variables that a description names by symbol or by distance their addresses in the target.</summary>
/// <param name="modules">The target's native libraries.</param>
/// <param name="problems">Receives problems: what is not there.</param>
internal sealed class LayoutPlaces(Func<IEnumerable<NativeModule>> modules, ProblemLog problems)
{
    /// <summary>The same description with addresses; without one for what is not there.</summary>
    public LayoutDescription Resolve(LayoutDescription description)
    {
        if (!description.Globals.Values.Any(global => global.Place is not null))
            return description;
        var globals = new Dictionary<string, GlobalDescription>(StringComparer.Ordinal);
        foreach ((string name, GlobalDescription global) in description.Globals)
            globals[name] = global.Place is { } place ? global with { Address = Find(place, name, description.Source) } : global;
        return description with { Globals = globals };
    }

    private ulong? Find(GlobalPlace place, string name, LayoutSource source)
    {
        string fault = $"{place.Module} is not loaded";
        foreach (NativeModule module in modules())
        {
            if (!NativeModule.IsNamed(module.Name, place.Module))
                continue;
            if (place.Rva is { } rva)
                return module.Bias + rva;
            ExportSearch found = module.FindExport(Encoding.UTF8.GetBytes(place.Symbol!), out ulong address);
            if (found == ExportSearch.Found)
                return address;
            fault = $"{module.Name} {(found == ExportSearch.Missing ? "exports no" : "cannot be searched for")} {place.Symbol}";
        }
        // Built-in layouts are not about this target.
        if (source.Kind != LayoutSourceKind.BuiltIn)
            problems.Add(ProblemCodes.LayoutDiffers, $"{name} of layout {source.Name} is not found: {fault}");
        return null;
    }
}
