using System.Collections.Immutable;
using Async2.Analysis.Awaiters;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Rendering;

namespace Async2.Sos.Text;

/// <summary>Each stack on its own, as SOS lists them: the innermost frame first.</summary>
internal sealed class StackLists(ConsoleText text, ObjectTypes types)
{
    private readonly StackEnds _ends = new(text, leafFirst: true);

    public void Write(StackView snapshot, int? limit)
    {
        int idle = IdleText.Folded(snapshot);
        int shown = Math.Min(limit ?? int.MaxValue, snapshot.Stacks.Length - idle);
        var frames = new FrameLines(text, leafFirst: true, ObjectColumn.Of(types));
        for (int i = 0; i < shown; i++)
        {
            LogicalStack stack = Renamed(snapshot.Stacks[i], Title);
            StackHeader.Write(text, stack.Id, stack);
            _ends.WriteInner(stack);
            frames.Write(stack.Frames, _ends.Rail(stack));
            _ends.WriteOuter(stack);
        }
        TextRenderer.WriteLeftOut(text, [.. snapshot.Stacks.Take(snapshot.Stacks.Length - idle).Skip(shown)]);
        IdleText.Write(text, snapshot.Stacks.TakeLast(idle), "filters and --json show them");
        TextRenderer.WriteLegend(text, frames.Marks);
    }

    /// <summary>The same stack with other names for stacks.</summary>
    public static LogicalStack Renamed(LogicalStack stack, Func<string, string> rename) => stack with
    {
        Id = rename(stack.Id),
        AwaitedBy = Renamed(stack.AwaitedBy, rename),
        WaitingOn = stack.WaitingOn is { } wait
            ? wait with { Stack = wait.Stack is { } other ? rename(other) : null, Pending = Renamed(wait.Pending, rename) }
            : null,
    };

    private static ImmutableArray<string> Renamed(ImmutableArray<string> ids, Func<string, string> rename)
        => ids.IsDefaultOrEmpty ? [] : [.. ids.Select(rename).Distinct()];

    // An answer's ids are s1, s2, ...
    private static string Title(string id) => "STACK " + id[1..];
}
