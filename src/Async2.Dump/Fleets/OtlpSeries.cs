using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Watching;
using Async2.Dump.Fleets.Wire;

namespace Async2.Dump.Fleets;

/// <summary>By what a number of stacks is known over time, and over processes: one row of a metric.</summary>
/// <param name="Key">The stack's, the same in every process of a build.</param>
/// <param name="Method">Its innermost method of the program.</param>
/// <param name="WaitKind">Kind of what it waits for.</param>
/// <param name="Wait">What that is.</param>
/// <param name="Resource">Its name in the program.</param>
/// <param name="Route">For which it works.</param>
/// <param name="Idle">The framework's idle loop that it is.</param>
internal sealed record OtlpSeries(string Key, string? Method, string? WaitKind, string? Wait, string? Resource, string? Route, string? Idle)
{
    /// <summary>All that are too many to have one of their own.</summary>
    public static OtlpSeries Other { get; } = new("other", null, null, null, null, null, null);

    /// <summary>Of equal stacks.</summary>
    public static OtlpSeries Of(RouteShare share)
    {
        LogicalStack stack = share.Group.Stack;
        LogicalFrame? frame = stack.Frames.FirstOrDefault(frame => !frame.IsFramework) ?? (stack.Frames.Count > 0 ? stack.Frames[0] : null);
        return new(stack.Key ?? share.Group.Key, frame?.Method, stack.WaitingOn is { } wait ? System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(wait.Kind.ToString()) : null,
            stack.WaitingOn?.Text, stack.WaitingOn?.Resource?.Name, share.Route, stack.Idle);
    }

    /// <summary>Writes it as attributes.</summary>
    public void AddTo(ICollection<KeyValue> attributes)
    {
        OtlpText.Add(attributes, "async2.key", Key);
        OtlpText.Add(attributes, "async2.method", Method);
        OtlpText.Add(attributes, "async2.wait.kind", WaitKind);
        OtlpText.Add(attributes, "async2.wait", Wait);
        OtlpText.Add(attributes, "async2.resource", Resource);
        OtlpText.Add(attributes, "http.route", Route);
        OtlpText.Add(attributes, "async2.idle", Idle);
    }
}
