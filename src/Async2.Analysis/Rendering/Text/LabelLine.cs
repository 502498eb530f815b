using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Rendering.Text;

/// <summary>For whom stacks work, in one line: <c>GET /orders/{id}, 398 requests, e.g. trace 4bf92f35...</c></summary>
public static class LabelLine
{
    // Longer values are in JSON.
    private const int ValueLimit = 100;
    private const string CutMark = "...";

    /// <summary>The line; null if nothing is known. Text from the target in it is not yet escaped.</summary>
    public static string? Of(LogicalStack stack)
    {
        List<string> parts = [];
        if (RequestOf(stack) is { } request)
            parts.Add(request);
        // What they have in common, then what the first of them has.
        StackLabel[] rest = [.. stack.Labels.Where(IsListed).OrderBy(label => label.Values > 1)];
        for (int i = 0; i < rest.Length; i++)
            parts.Add((rest[i].Values > 1 && (i == 0 || rest[i - 1].Values == 1) ? "e.g. " : "") + TextOf(rest[i]));
        return parts.Count == 0 ? null : string.Join(", ", parts);
    }

    /// <summary>The request, or of a group the route and how many there are; null if none is known.</summary>
    public static string? RequestOf(LogicalStack stack)
    {
        if (Find(stack, LabelNames.Request) is not { } request)
            return null;
        return stack.Count == 1 ? Cut(request.Value) : OfGroup(request, Find(stack, LabelNames.Route), Find(stack, LabelNames.RequestId)?.Values ?? request.Stacks);
    }

    // Several requests may have the same path.
    private static string OfGroup(StackLabel request, StackLabel? route, long count) => request.Values == 1 ? $"{Cut(request.Value)}, {DisplayText.Count(count, "request")}"
        : route is { Values: 1 } ? $"{request.Value.Split(' ')[0]} {Cut(route.Value)}, {DisplayText.Count(count, "request")}"
        : $"{DisplayText.Count(count, "request")}, e.g. {Cut(request.Value)}";

    // The line of the wait says what was read there.
    private static bool IsListed(StackLabel label)
        => label.Name is not (LabelNames.Request or LabelNames.Route or LabelNames.RequestId or LabelNames.Span) && label.Source != LabelSource.Wait;

    private static StackLabel? Find(LogicalStack stack, string name) => stack.Labels.FirstOrDefault(label => label.Name == name);

    private static string TextOf(StackLabel label) => label.Name switch
    {
        LabelNames.Call => "sends " + Cut(label.Value),
        LabelNames.Sql => "SQL " + Cut(label.Value),
        LabelNames.Command => "Redis " + Cut(label.Value),
        LabelNames.Trace or LabelNames.Activity or LabelNames.Scope or LabelNames.Culture or LabelNames.Host => $"{label.Name} {Cut(label.Value)}",
        _ => $"{label.Name}={Cut(label.Value)}",
    };

    private static string Cut(string value) => value.Length <= ValueLimit ? value : string.Concat(value.AsSpan(0, ValueLimit), CutMark);
}
