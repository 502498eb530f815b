using Async2.Analysis.Layouts.Checks;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Libraries;

namespace Async2.Analysis.Layouts.Sources;

/// <summary>
/// The contracts that a target exports: the runtime's own, another one that its global <c>Async2</c> leads to, and
/// <c>DotNetAsync2ContractDescriptor</c> of any library. Every run pays for the search, so it looks symbols up as the loader
/// does, and parses only what concerns async code.
/// </summary>
internal sealed class ContractSearch(ProblemLog problems)
{
    public const string OfRuntime = "DotNetRuntimeContractDescriptor";
    public const string OfAsync2 = "DotNetAsync2ContractDescriptor";

    private readonly List<LayoutDescription> _ofRuntime = [];
    private readonly List<LayoutDescription> _separate = [];

    /// <summary>Most believed first.</summary>
    public IReadOnlyList<LayoutDescription> Run(IEnumerable<NativeModule> modules)
    {
        foreach (NativeModule module in modules)
        {
            if (module.FindExport("DotNetRuntimeContractDescriptor"u8, out ulong address) == ExportSearch.Found)
                AddRuntime(module, address);
            if (module.FindExport("DotNetAsync2ContractDescriptor"u8, out address) == ExportSearch.Found)
                Add(_separate, module, address, OfAsync2);
        }
        return [.. _ofRuntime, .. _separate];
    }

    private void AddRuntime(NativeModule module, ulong address)
    {
        if (Add(_ofRuntime, module, address, OfRuntime)?.Globals.GetValueOrDefault(AsyncLayoutParts.SubDescriptor) is not { Address: { } global })
            return;
        // CDAC_GLOBAL_SUB_DESCRIPTOR takes the address of a pointer to it.
        if (!ContractDescriptor.IsAt(module, global) && module.TryReadPointer(global, out ulong behind))
            global = behind;
        Add(_ofRuntime, module, global, $"{OfRuntime}.{AsyncLayoutParts.SubDescriptor}");
    }

    private LayoutDescription? Add(List<LayoutDescription> found, NativeModule module, ulong address, string name)
    {
        var source = new LayoutSource(LayoutSourceKind.Contract, $"contract {name} in {module.Name}");
        try
        {
            if (new ContractDescriptor(module, source).Read(address) is not { } description)
                return null;
            LayoutDescription[] all = Baselines.IsEmpty(description.Baseline) ? [description] : [description, Baseline(description)];
            IReadOnlyList<string> faults = LayoutCheck.FaultsOf(new LayoutFacts(all));
            if (faults.Count > 0)
                throw DescriptionParser.Refused(source, faults);
            found.AddRange(all);
            return description;
        }
        catch (LayoutException e)
        {
            // The target's own description is damaged: the analysis continues with the other descriptions.
            problems.Add(ProblemCodes.LayoutContractUnusable, $"the layout {source.Name} is not used: {LayoutException.Joined(e.Faults)}", address);
            return null;
        }
    }

    private static LayoutDescription Baseline(LayoutDescription description) => Baselines.Find(description.Baseline!) is { } known
        ? known
        : throw DescriptionParser.Refused(description.Source, [$"baseline \"{description.Baseline}\" is not a built-in layout ({string.Join(", ", Baselines.Names)})"]);
}
