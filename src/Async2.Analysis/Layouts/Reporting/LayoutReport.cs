using System.Collections.Immutable;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Sources;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using static System.FormattableString;

namespace Async2.Analysis.Layouts.Reporting;

/// <summary>A fact about a target's layout, in words.</summary>
/// <param name="Kind"><c>contract</c>, <c>type</c>, <c>field</c> or <c>global</c>.</param>
/// <param name="Name"><c>Tasklet.RestoreIP</c>.</param>
/// <param name="Value">A version, a size, an offset, a value or an address.</param>
/// <param name="Source">Where it was learned.</param>
public sealed record LayoutRow(string Kind, string Name, string Value, string Source);

/// <summary>Everything that is known about a layout, fact by fact, each with where it came from.</summary>
/// <param name="Rows">Contracts, then types with their fields, then globals.</param>
/// <param name="Problems">What could not be used.</param>
public sealed record LayoutReport(ImmutableArray<LayoutRow> Rows, ImmutableArray<Problem> Problems)
{
    /// <summary>What is known about a target.</summary>
    /// <param name="target">An open target.</param>
    /// <param name="file">The user's description, believed before all else; null for none.</param>
    /// <exception cref="LayoutException">The user's file cannot be used.</exception>
    public static LayoutReport Of(Target target, string? file)
    {
        var problems = new ProblemLog();
        var unknown = new List<string>();
        LayoutFacts said = LayoutSources.Read(target, file, problems, unknown.Add);
        if (unknown.Count > 0)
            problems.Add(ProblemCodes.LayoutContractUnusable, Unsearched(unknown));
        IReadOnlyDictionary<string, int> metadata = MetadataFacts.OfContinuation(target, said);
        foreach (Problem problem in LayoutDifferences.Of(said, AsyncLayoutParts.Continuation, metadata))
            problems.Add(problem);
        return new(RowsOf(said.Or([.. MetadataFacts.Matching(target, metadata)]), metadata, looked: true), problems.ToImmutable());
    }

    /// <summary>What a description says, with its baselines.</summary>
    internal static LayoutReport Of(LayoutFacts facts) => new(RowsOf(facts, new Dictionary<string, int>(), looked: false), []);

    private static string Unsearched(List<string> names)
        => $"not searched for contracts, because neither the target's memory nor a file of the same build is available (add --symbols DIR): {string.Join(", ", names)}";

    private static ImmutableArray<LayoutRow> RowsOf(LayoutFacts facts, IReadOnlyDictionary<string, int> metadata, bool looked)
    {
        var rows = ImmutableArray.CreateBuilder<LayoutRow>();
        foreach (string name in (string[])[AsyncLayoutParts.Continuations, AsyncLayoutParts.Tasklets])
        {
            if (facts.Contract(name) is { } contract)
                rows.Add(new("contract", name, contract.Version, SourceOf(contract, metadata).Name));
        }
        foreach (string type in AsyncLayoutParts.Types)
            AddType(rows, facts, type, type == AsyncLayoutParts.Continuation ? metadata : new Dictionary<string, int>());
        foreach (string name in facts.GlobalNames().Order(StringComparer.Ordinal))
        {
            GlobalFact fact = facts.Global(name)!;
            rows.Add(new("global", name, Text(fact.Value, looked), fact.Source.Name));
        }
        return rows.ToImmutable();
    }

    private static void AddType(ImmutableArray<LayoutRow>.Builder rows, LayoutFacts facts, string type, IReadOnlyDictionary<string, int> metadata)
    {
        if (facts.SizeFact(type) is { } size)
            rows.Add(new("type", type, Invariant($"{size.Bytes} bytes"), size.Source.Name));
        // Metadata decides the layout of objects, so descriptions of fields that it does not have are ignored.
        IEnumerable<string> names = metadata.Count > 0 && !facts.Sources.Any(source => IsDescribed(source, type)) ? metadata.Keys : facts.FieldsOf(type).Select(field => field.Field).Union(metadata.Keys);
        IEnumerable<FieldFact> fields = names
            .Select(field => facts.Field(type, field, metadata.TryGetValue(field, out int own) ? own : null))
            .OfType<FieldFact>();
        foreach (FieldFact field in fields.OrderBy(field => field.Offset).ThenBy(field => field.Field, StringComparer.Ordinal))
            rows.Add(new("field", $"{type}.{field.Field}", Invariant($"{field.Offset}{(field.FieldType is { } kind ? " " + kind : "")}"), field.Source.Name));
    }

    // The fields of the class decide which built-in layout fits.
    private static LayoutSource SourceOf(ContractFact contract, IReadOnlyDictionary<string, int> metadata)
        => contract is { Name: AsyncLayoutParts.Continuations, Source.Kind: LayoutSourceKind.BuiltIn } && metadata.Count > 0 ? LayoutSource.Metadata : contract.Source;

    private static bool IsDescribed(LayoutDescription source, string type) => source.Source.Kind < LayoutSourceKind.Metadata && source.Types.ContainsKey(type);

    private static string Text(GlobalDescription global, bool looked) => global switch
    {
        { Place: { } place, Address: null } => $"{place.Symbol ?? Invariant($"+0x{place.Rva:x}")} in {place.Module}{(looked ? ", not found" : "")}",
        { Place: { } place, Address: { } address } => Invariant($"0x{address:x} ({place.Symbol ?? Invariant($"+0x{place.Rva:x}")} in {place.Module})"),
        { Address: { } address } => Invariant($"0x{address:x}"),
        { Number: { } number } => Invariant($"{number}"),
        _ => global.Text ?? "",
    };
}
