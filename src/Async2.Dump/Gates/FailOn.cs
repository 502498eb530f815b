using Async2.Analysis.Analyses;
using Async2.Analysis.Model;
using Async2.Dump.Cli;

namespace Async2.Dump.Gates;

/// <summary>What a gate fails on: a rule, from a confidence on.</summary>
internal sealed record FailOn(string Rule, Confidence From)
{
    /// <summary>Reads <c>deadlock</c> or <c>starvation:certain</c>.</summary>
    /// <param name="text">As the user typed it.</param>
    /// <param name="option">For which option.</param>
    /// <exception cref="UsageException">There is no such rule or confidence.</exception>
    public static FailOn Parse(string text, string option = "--fail-on")
    {
        int colon = text.IndexOf(':', StringComparison.Ordinal);
        string rule = colon < 0 ? text : text[..colon];
        if (!FindingRules.All.Contains(rule))
            throw new UsageException($"{option}: there is no rule '{rule}'", $"one of: {string.Join(", ", FindingRules.All)}");
        if (colon < 0)
            return new(rule, Confidence.Likely);
        return text[(colon + 1)..] switch
        {
            "certain" => new(rule, Confidence.Certain),
            "likely" => new(rule, Confidence.Likely),
            "possible" => new(rule, Confidence.Possible),
            var other => throw new UsageException($"{option}: there is no confidence '{other}'", "one of: certain, likely, possible"),
        };
    }

    public bool Matches(Finding finding) => finding.Rule == Rule && finding.Confidence >= From;
}
