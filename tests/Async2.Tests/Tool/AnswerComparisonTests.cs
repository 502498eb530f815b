using Async2.Dump.Samples;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Tool;

public sealed class AnswerComparisonTests
{
    [Fact]
    public void Order_ids_and_addresses_do_not_matter()
    {
        string a = Rendered.Json(new SnapshotDrawing().Stack(2, "Task", "A.B() | a.cs:1").Stack(1, "Task", "C.D()").Snapshot());
        string b = Rendered.Json(new SnapshotDrawing().Stack(1, null, "C.D()").Stack(2, null, "A.B() | a.cs:1").Snapshot());
        Assert.True(AnswerComparison.Of(a, b).IsComplete);
    }

    [Fact]
    public void Counts_methods_and_lines_matter()
    {
        string a = Rendered.Json(new SnapshotDrawing().Stack(2, "Task", "A.B() | a.cs:1", "A.Main()").Snapshot());
        AnswerComparison agreement = AnswerComparison.Of(a, Rendered.Json(new SnapshotDrawing().Stack(2, "Task", "A.B() | a.cs:2", "A.Main()").Snapshot()));
        Assert.False(agreement.IsComplete);
        Assert.Equal(["2x awaiting A.B():1 < A.Main()"], agreement.OnlyFirst);
        Assert.Equal(["2x awaiting A.B():2 < A.Main()"], agreement.OnlySecond);
        Assert.False(AnswerComparison.Of(a, Rendered.Json(new SnapshotDrawing().Stack(3, "Task", "A.B() | a.cs:1", "A.Main()").Snapshot())).IsComplete);
    }
}
