using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering;

/// <summary>The user's options for the output; they do not change what was found.</summary>
public sealed record RenderOptions
{
    /// <summary>Innermost frame first in text; by default the outermost comes first. JSON is always innermost first.</summary>
    public bool LeafFirst { get; init; }

    /// <summary>Maximum number of stacks (or groups of equal stacks) to print; null for all. Omitted stacks are counted.</summary>
    public int? Limit { get; init; }

    /// <summary>Shows the stacks in sections; null for one list.</summary>
    public GroupKey? GroupBy { get; init; }

    /// <summary>Prints idle loops of frameworks like other stacks; by default one line counts them, unless filters select them.</summary>
    public bool ShowIdle { get; init; }

    /// <summary>Only findings: text without stacks, JSON with the stacks that findings name.</summary>
    public bool FindingsOnly { get; init; }

    /// <summary>Every finding with all of its evidence, instead of the first few.</summary>
    public bool AllFindings { get; init; }

    /// <summary>Text says each age that is known, not only those of what has waited for long: who asks for ages wants to see them.</summary>
    public bool AllAges { get; init; }

    /// <summary>Folder of the sources: SARIF names files in it relative to it. Null for none.</summary>
    public string? SourceRoot { get; init; }

    /// <summary>Values were left out of the answer: exports also leave out the name of the machine.</summary>
    public bool WithoutValues { get; init; }

    /// <summary>Prints every problem instead of a few of each kind.</summary>
    public bool Verbose { get; init; }

    /// <summary>Creates the sink of text formats: plain unless the caller has a terminal.</summary>
    public Func<TextWriter, StyledText> Text { get; init; } = writer => new PlainText(writer);
}
