using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering;

/// <summary>What the user asked about the look of the answer; nothing here changes what was found.</summary>
public sealed record RenderOptions
{
    /// <summary>Innermost frame first in text; the outermost comes first otherwise. JSON is always innermost first.</summary>
    public bool LeafFirst { get; init; }

    /// <summary>How many stacks (or groups of equal stacks) to print; null for all. What is left out is counted.</summary>
    public int? Limit { get; init; }

    /// <summary>Shows the stacks in sections; null for one list.</summary>
    public StackGrouping? GroupBy { get; init; }

    /// <summary>Prints idle loops of frameworks like other stacks; otherwise one line counts them, unless filters asked for them.</summary>
    public bool ShowIdle { get; init; }

    /// <summary>Prints every problem instead of a few of each kind.</summary>
    public bool Verbose { get; init; }

    /// <summary>Makes the sink of formats that are text for people: plain unless the caller knows a terminal.</summary>
    public Func<TextWriter, StyledText> Text { get; init; } = writer => new PlainText(writer);
}
