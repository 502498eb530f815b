using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Stacks;

public sealed class FrameMatchTests
{
    [Fact]
    public void A_distinct_frame_is_tested_once_however_many_stacks_it_is_in()
    {
        var table = new FrameTable(TextHeap.Draw("").Readers.Frames, FrameColumns.Of([]));
        int asked = 0;
        var match = new FrameMatch(table, frame => ++asked > 0 && frame.Method == "X.C()");
        List<StackFrame>[] stacks = [.. "AB AC BA".Split(' ').Select(names => names.Select(name => new StackFrame(table.IdOf(SnapshotDrawing.Frame($"X.{name}()")), 0)).ToList())];
        for (int i = 0; i < 1000; i++)
            Assert.Equal([false, true, false], stacks.Select(match.AnyOf));
        // Each use of IdOf makes an entry.
        Assert.Equal(6, asked);
    }
}
