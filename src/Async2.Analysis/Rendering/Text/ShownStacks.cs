using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering.Text;

/// <summary>
/// Which stacks of an answer are drawn, and which are only counted: a limit omits those after it, and idle loops of frameworks,
/// the last of an answer, are one line unless they are requested.
/// </summary>
public sealed record ShownStacks
{
    private readonly int _count;

    private ShownStacks(ImmutableArray<LogicalStack> listed, ImmutableArray<LogicalStack> idle, int count)
        => (Listed, Idle, _count) = (listed, idle, count);

    /// <summary>Idle loops that are not drawn.</summary>
    public ImmutableArray<LogicalStack> Idle { get; }

    /// <summary>All others, drawn or beyond the limit.</summary>
    public ImmutableArray<LogicalStack> Listed { get; }

    /// <summary>Divides the stacks of an answer.</summary>
    /// <param name="snapshot">The answer.</param>
    /// <param name="limit">Maximum number of drawn stacks; null for all.</param>
    /// <param name="showIdle">Draws idle loops like other stacks. They are drawn, too, if filters select them.</param>
    public static ShownStacks Of(StackView snapshot, int? limit = null, bool showIdle = false)
    {
        int idle = showIdle || snapshot.Matching is not null ? 0 : snapshot.Stacks.Count(stack => stack.Idle is not null);
        int listed = snapshot.Stacks.Length - idle;
        return new ShownStacks(
            ImmutableArray.Create(snapshot.Stacks, 0, listed), ImmutableArray.Create(snapshot.Stacks, listed, idle), Math.Min(limit ?? int.MaxValue, listed));
    }

    /// <summary>The drawn stacks: in one part without a section, or by sections, including those of which nothing is drawn.</summary>
    public IEnumerable<(StackSection? Section, ImmutableArray<LogicalStack> Stacks)> Parts(GroupKey? grouping)
    {
        if (grouping is not { } by)
        {
            yield return (null, ImmutableArray.Create(Listed, 0, _count));
            yield break;
        }
        int left = _count;
        foreach (StackSection section in StackSection.Of(Listed, by))
        {
            int drawn = Math.Min(left, section.Stacks.Length);
            left -= drawn;
            yield return (section, ImmutableArray.Create(section.Stacks, 0, drawn));
        }
    }

    /// <summary>Says how many stacks are not drawn, and which idle loops.</summary>
    /// <param name="text">Where to.</param>
    /// <param name="more">Text that says how to show idle loops.</param>
    public void WriteRest(StyledText text, string more)
    {
        WriteLeftOut(text);
        if (Idle.IsEmpty)
            return;
        text.Line();
        new Paragraph(text, indent: 0, hanging: 2).Add(TextRole.Dim, $"{text.Surface.Ellipsis} {IdleText.Count(Idle)} not shown: {IdleText.Names(Idle)} ({more})").End();
    }

    private void WriteLeftOut(StyledText text)
    {
        int entries = Listed.Length - _count;
        if (entries == 0)
            return;
        long left = Listed.Skip(_count).Sum(stack => stack.Count);
        text.Line();
        string what = left == entries ? DisplayText.Count(left, "more stack") : $"{DisplayText.Count(entries, "more group")} of {DisplayText.Count(left, "stack")}";
        new Paragraph(text).Add(TextRole.Dim, $"{text.Surface.Ellipsis} {what} not shown (--limit)").End();
    }
}
