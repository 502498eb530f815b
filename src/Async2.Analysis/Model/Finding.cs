using System.Collections.Immutable;

namespace Async2.Analysis.Model;

/// <summary>A conclusion of an analysis.</summary>
/// <param name="Rule">Id of the rule: <c>deadlock</c>, <c>sync-over-async</c>, ...</param>
/// <param name="Severity">How bad it is if it is true.</param>
/// <param name="Confidence">How certain it is.</param>
/// <param name="Text">One sentence.</param>
/// <param name="Stacks">Ids of the stacks that prove it.</param>
public sealed record Finding(string Rule, Severity Severity, Confidence Confidence, string Text, ImmutableArray<string> Stacks);

/// <summary>How bad a finding is.</summary>
public enum Severity
{
    /// <summary>Worth knowing.</summary>
    Info,

    /// <summary>Likely to hurt.</summary>
    Warning,

    /// <summary>The program cannot make progress, or will not.</summary>
    Error,
}

/// <summary>How certain a finding is.</summary>
public enum Confidence
{
    /// <summary>Fits the facts, as other explanations do.</summary>
    Possible,

    /// <summary>Most likely.</summary>
    Likely,

    /// <summary>Follows from the data.</summary>
    Certain,
}
