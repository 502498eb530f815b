using System.Collections.Immutable;
using Async2.Analysis.Layouts.Checks;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Sources;

namespace Async2.Analysis.Layouts.Reporting;

/// <summary>What a description of a layout that has no fault is good for.</summary>
/// <param name="Contracts">What can be read by it.</param>
/// <param name="Ignored">What it says that no contract has.</param>
/// <param name="Rows">All that it says, its baselines included.</param>
public sealed record LayoutVerification(ImmutableArray<DescribedContract> Contracts, ImmutableArray<string> Ignored, ImmutableArray<LayoutRow> Rows)
{
    /// <summary>Reads and checks a description.</summary>
    /// <param name="path">The file (docs/layouts.md).</param>
    /// <exception cref="LayoutException">It has faults, which the exception names.</exception>
    public static LayoutVerification Of(string path)
    {
        IReadOnlyList<LayoutDescription> chain = LayoutFile.Read(path);
        var facts = new LayoutFacts(chain);
        return new(
            [
                .. from needs in ContractRequirements.All
                   where facts.Contract(needs.Contract)?.Version == needs.Version
                   let absent = needs.Types.SelectMany(type => type.Optional.Where(field => facts.Field(type.Type, field) is null).Select(field => $"{type.Type}.{field}"))
                   select new DescribedContract(needs.Contract, needs.Version, needs.Describes, [.. absent]),
            ],
            [.. chain.SelectMany(description => description.Ignored)],
            LayoutReport.Of(facts).Rows);
    }
}

/// <summary>A contract that a description fulfils.</summary>
/// <param name="Name"><c>Async2Tasklets</c>.</param>
/// <param name="Version"><c>1</c>.</param>
/// <param name="Describes">What is described by it, in words.</param>
/// <param name="Absent">Fields that it may have and that the description does not have, <c>Tasklet.ReturnType</c>.</param>
public sealed record DescribedContract(string Name, string Version, string Describes, ImmutableArray<string> Absent);
