namespace Async2.Analysis.Model.Labels;

/// <summary>How much of people's data labels show.</summary>
public enum ShownValues
{
    /// <summary>Everything but queries of addresses.</summary>
    Masked,

    /// <summary>Everything.</summary>
    All,

    /// <summary>Names of code and ids only.</summary>
    None,
}

/// <summary>Takes data of people out of labels.</summary>
internal static class LabelPrivacy
{
    /// <summary>Replacement for a value.</summary>
    public const string Hidden = "<redacted>";

    private const string Masked = "?...";

    /// <param name="labels">Labels of a model.</param>
    /// <param name="shown">How much stays.</param>
    public static LabelFacts Apply(LabelFacts labels, ShownValues shown) => shown == ShownValues.All ? labels : labels.With(label => label with { Value = Of(label, shown) });

    private static string Of(StackLabel label, ShownValues shown) => label.Name switch
    {
        LabelNames.Request or LabelNames.Call => shown == ShownValues.None ? WithoutPath(label.Value) : WithoutQuery(label.Value),
        LabelNames.Route or LabelNames.RequestId or LabelNames.Trace or LabelNames.Span or LabelNames.Culture or LabelNames.Command => label.Value,
        _ => shown == ShownValues.None ? Hidden : label.Value,
    };

    private static string WithoutQuery(string request) => request.IndexOfAny(['?', '#']) is >= 0 and var query ? string.Concat(request.AsSpan(0, query), Masked) : request;

    private static string WithoutPath(string request) => request.IndexOf(' ', StringComparison.Ordinal) is > 0 and var end ? $"{request[..end]} {Hidden}" : Hidden;
}
