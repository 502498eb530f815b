using System.Collections.Immutable;

namespace Async2.Analysis.Model.Labels;

/// <summary>For whom the stacks work that hang on a finding: what their labels of one name say.</summary>
/// <param name="Name"><c>request</c>, or of the program's own AsyncLocals the field, <c>Shop.Tenant</c>.</param>
/// <param name="Count">How many requests; of another label, how many stacks have one.</param>
/// <param name="Values">How many different values there are; of requests, how many routes.</param>
/// <param name="Largest">The values that most have, largest count first.</param>
public sealed record FindingLabel(string Name, long Count, long Values, ImmutableArray<LabelShare> Largest);

/// <summary>A value of a label, and how many have it.</summary>
/// <param name="Value">Text from the target, not yet escaped. Of requests method and route, <c>GET /orders/{id}</c>, or the path where no route is known.</param>
/// <param name="Count">How many requests; of another label, how many stacks.</param>
public sealed record LabelShare(string Value, long Count)
{
    /// <summary>Trace id of one of the requests, to look it up elsewhere; null if none is known, and for other labels.</summary>
    public string? Trace { get; init; }
}
