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
    public StackGrouping? GroupBy { get; init; }

    /// <summary>Prints idle loops of frameworks like other stacks; by default one line counts them, unless filters select them.</summary>
    public bool ShowIdle { get; init; }

    /// <summary>Prints every problem instead of a few of each kind.</summary>
    public bool Verbose { get; init; }

    /// <summary>Creates the sink of text formats: plain unless the caller has a terminal.</summary>
    public Func<TextWriter, StyledText> Text { get; init; } = writer => new PlainText(writer);
}
