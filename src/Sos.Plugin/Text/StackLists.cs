using System.Collections.Immutable;
using Async2.Analysis.Awaiters;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;

namespace Async2.Sos.Text;

/// <summary>Every stack by itself, as in SOS: the innermost frame first.</summary>
internal sealed class StackLists(ConsoleText text, ObjectTypes types)
{
    private readonly StackEnds _ends = new(text, leafFirst: true);
    private bool _allAges;

    public void Write(StackView snapshot, StackQuery query)
    {
        _allAges = query.AsksForAges;
        var shown = ShownStacks.Of(snapshot, query.Limit);
        var frames = new FrameLines(text, leafFirst: true, ObjectColumn.Of(types));
        foreach ((StackSection? section, ImmutableArray<LogicalStack> stacks) in shown.Parts(query.GroupBy))
        {
            SectionHeading.Write(text, section, shown);
            foreach (LogicalStack stack in stacks)
                Write(Renamed(stack, Title), frames);
        }
        shown.WriteRest(text, "filters and --json show them");
        TextRenderer.WriteLegend(text, frames.Marks);
    }

    /// <summary>A copy of the stack with other ids of stacks.</summary>
    public static LogicalStack Renamed(LogicalStack stack, Func<string, string> rename) => stack with
    {
        Id = rename(stack.Id),
        AwaitedBy = Renamed(stack.AwaitedBy, rename),
        WaitingOn = stack.WaitingOn is { } wait
            ? wait with { Stack = wait.Stack is { } other ? rename(other) : null, Pending = Renamed(wait.Pending, rename) }
            : null,
    };

    private void Write(LogicalStack stack, FrameLines frames)
    {
        StackHeader.Write(text, stack.Id, stack, _allAges);
        _ends.WriteInner(stack);
        frames.Write(stack.Frames, _ends.Margin(stack));
        _ends.WriteOuter(stack);
    }

    private static ImmutableArray<string> Renamed(ImmutableArray<string> ids, Func<string, string> rename)
        => ids.IsDefaultOrEmpty ? [] : [.. ids.Select(rename).Distinct()];

    // An answer's ids are s1, s2, ...
    private static string Title(string id) => "STACK " + id[1..];
}
