using System.Collections.Immutable;
using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses;

/// <summary>The rules that findings come from, and what is known of each.</summary>
public static class FindingRules
{
    /// <summary>Ids of all rules, in the order in which findings that are equally bad are listed.</summary>
    public static ImmutableArray<string> All { get; } = [.. AnalysisList.All.Select(analysis => analysis.Rule)];

    /// <summary>What a rule means, how it is known and what to do: its page of docs/findings, in Markdown; null for a rule that does not exist.</summary>
    public static string? PageOf(string rule)
    {
        using Stream? stream = All.Contains(rule) ? typeof(FindingRules).Assembly.GetManifestResourceStream("finding:" + rule) : null;
        if (stream is null)
            return null;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }

    /// <summary>A rule in one sentence: the first of its page.</summary>
    public static string SummaryOf(string rule) => PageOf(rule)?.Split('\n').Skip(1).FirstOrDefault(line => line.Trim().Length > 0)?.Trim() ?? rule;

    /// <summary>Bad enough, and certain enough, to be called wrong: what a gate fails on unless it is told otherwise, and a debugger stops for.</summary>
    public static bool IsAlarm(Finding finding) => finding is { Severity: Severity.Error, Confidence: >= Confidence.Likely };
}
