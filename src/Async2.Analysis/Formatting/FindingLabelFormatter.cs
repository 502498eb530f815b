using System.Globalization;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Formatting;

/// <summary>Says for whom the stacks work that hang on a finding: <c>requests: GET /orders/{id} (398), POST /pay (12), and 17 of 5 other routes; e.g. trace 4bf92f35...</c></summary>
internal static class FindingLabelFormatter
{
    // The rest is in JSON, or found by a query.
    private const int ValueLimit = 3;
    private const int TextLimit = 60;
    private const string CutMark = "...";

    /// <summary>All in one line; null if the values are all left out.</summary>
    public static string? Line(FindingLabel label) => Values(label) is { } values ? Name(label) + values : null;

    /// <summary>What the values are: <c>requests: </c>, <c>Shop.Tenant: </c>.</summary>
    public static string Name(FindingLabel label) => (IsRequest(label) ? "requests" : label.Name) + ": ";

    /// <summary>The values; null if they are all left out. Text from the target in it is not yet escaped.</summary>
    public static string? Values(FindingLabel label)
    {
        LabelShare[] shown = [.. label.Largest.Take(ValueLimit)];
        if (shown.Length == 0 || (!IsRequest(label) && shown.All(share => share.Value == LabelPrivacy.Hidden)))
            return null;
        bool areUnlike = label.Values > shown.Length && label.Values == label.Count;
        string text = areUnlike ? $"{Number(label.Values)} different, e.g. {string.Join(", ", shown.Select(share => Cut(share.Value)))}"
            : string.Join(", ", shown.Select(share => $"{Cut(share.Value)} ({Number(share.Count)})")) + Rest(label, shown);
        return shown[0].Trace is { } trace ? $"{text}; e.g. trace {trace}" : text;
    }

    // ", and 17 of 5 other routes"
    private static string Rest(FindingLabel label, LabelShare[] shown)
    {
        long values = label.Values - shown.Length, count = label.Count - shown.Sum(share => share.Count);
        return values == 0 ? "" : $", and {(count == values ? "" : $"{Number(count)} of ")}{Number(values)} other {(IsRequest(label) ? "route" : "value")}{(values == 1 ? "" : "s")}";
    }

    private static bool IsRequest(FindingLabel label) => label.Name == LabelNames.Request;

    private static string Number(long number) => number.ToString("N0", CultureInfo.InvariantCulture);

    private static string Cut(string value) => value.Length <= TextLimit ? value : string.Concat(value.AsSpan(0, TextLimit), CutMark);
}
