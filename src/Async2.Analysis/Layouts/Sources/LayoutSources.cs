using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Layouts.Sources;

/// <summary>All that is said about a target's layout by others than its metadata.</summary>
internal static class LayoutSources
{
    /// <summary>
    /// In order: the user's file, contracts of the target, and the built-in layouts that those build on. Which other built-in layouts fit,
    /// is for the readers of each family to say.
    /// </summary>
    /// <param name="target">The target.</param>
    /// <param name="file">The user's file; null for none.</param>
    /// <param name="problems">Receives problems: contracts that cannot be used, and variables that are not found.</param>
    /// <param name="unknown">Told the names of libraries that could not be searched; null where nobody wants to know.</param>
    /// <exception cref="LayoutException">The user's file cannot be used, or is not for this target.</exception>
    public static LayoutFacts Read(Target target, string? file, ProblemLog problems, Action<string>? unknown = null)
    {
        IReadOnlyList<LayoutDescription> own = file is null ? [] : LayoutFile.Read(file);
        foreach (LayoutDescription description in own)
            LayoutTargets.Check(description, target);
        IReadOnlyList<LayoutDescription> contracts = new ContractSearch(problems).Run(NativeModules.Of(target, unknown));
        return own.Count == 0 && contracts.Count == 0 ? LayoutFacts.None : Join(own, contracts, new LayoutPlaces(() => NativeModules.Of(target), problems));
    }

    private static LayoutFacts Join(IReadOnlyList<LayoutDescription> own, IReadOnlyList<LayoutDescription> contracts, LayoutPlaces places)
    {
        var sources = new List<LayoutDescription>();
        foreach (LayoutDescription description in own.Concat(contracts).Distinct())
            sources.Add(places.Resolve(description));
        // Stable: of equal entries the first one stays first.
        return new LayoutFacts([.. sources.OrderBy(source => source.Source.Kind)]);
    }
}
