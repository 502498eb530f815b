using System.Collections.Immutable;

namespace Async2.Analysis.Model.Labels;

/// <summary>Counts the labels of some stacks: requests, each once however many stacks work for it, and the values of the program's own AsyncLocals.</summary>
/// <param name="labels">The labels of all stacks.</param>
internal sealed class LabelShares(LabelFacts labels)
{
    // More names or values are read by nobody in a finding; queries answer for all.
    private const int NameLimit = 8;
    private const int ValueLimit = 10;

    // Many stacks have the same set.
    private readonly Dictionary<int, Request?> _requests = [];

    /// <summary>Requests first, then by name; nothing if no stack has such a label.</summary>
    public ImmutableArray<FindingLabel> Of(IEnumerable<int> stacks)
    {
        if (labels.IsEmpty)
            return [];
        var requests = new Dictionary<string, Request>(StringComparer.Ordinal);
        var own = new SortedDictionary<string, Dictionary<string, long>>(StringComparer.Ordinal);
        foreach (int stack in stacks.Distinct())
        {
            if (!labels.SetOf.TryGetValue(stack, out int set))
                continue;
            // Without an id each stack is taken for one.
            if (RequestOf(set) is { } request)
                requests.TryAdd(request.Id ?? $"\n{stack}", request);
            foreach (StackLabel label in labels.Of(stack))
            {
                if (!label.Name.Contains('.', StringComparison.Ordinal))
                    continue;
                if (!own.TryGetValue(label.Name, out Dictionary<string, long>? values))
                    own[label.Name] = values = new(StringComparer.Ordinal);
                values[label.Value] = values.GetValueOrDefault(label.Value) + 1;
            }
        }
        IEnumerable<FindingLabel> rest = own.Take(NameLimit).Select(pair => Label(pair.Key, pair.Value.Select(value => new LabelShare(value.Key, value.Value))));
        return requests.Count == 0 ? [.. rest] : [Label(LabelNames.Request, requests.Values.GroupBy(request => request.Route, StringComparer.Ordinal).Select(ShareOf)), .. rest];
    }

    // The example is the same in each run over one model.
    private static LabelShare ShareOf(IGrouping<string, Request> route) => new(route.Key, route.Count()) { Trace = route.Select(request => request.Trace).OfType<string>().Min(StringComparer.Ordinal) };

    private static FindingLabel Label(string name, IEnumerable<LabelShare> values)
    {
        LabelShare[] all = [.. values.OrderByDescending(value => value.Count).ThenBy(value => value.Value, StringComparer.Ordinal)];
        return new(name, all.Sum(value => value.Count), all.Length, [.. all.Take(ValueLimit)]);
    }

    private Request? RequestOf(int set)
    {
        if (_requests.TryGetValue(set, out Request? known))
            return known;
        string? Value(string name) => labels.Sets[set].Select(label => labels.Labels[label]).FirstOrDefault(label => label.Name == name)?.Value;
        return _requests[set] = Value(LabelNames.Request) is not { } request ? null
            : new(Value(LabelNames.RequestId) ?? (Value(LabelNames.Trace) is { } own ? $"{own} {request}" : null),
                Value(LabelNames.Route) is { } route ? $"{request.Split(' ')[0]} {route}" : request, Value(LabelNames.Trace));
    }

    private sealed record Request(string? Id, string Route, string? Trace);
}
