using Async2.Analysis.Nodes;

namespace Async2.Tests.Heap;

/// <summary>Tasks that nobody asked for are kept for later questions, unless there are too many of them.</summary>
public sealed class KeptTasksTests
{
    private const int Most = 3;

    [Theory]
    [InlineData(Most, true, 4)]
    [InlineData(Most + 1, false, 1)]
    public void Others_are_kept_if_they_are_few(int others, bool areKept, int rows)
    {
        var kept = new KeptTasks(TaskKinds.Completed, Most);
        var found = new List<TaskRow>();
        Take(kept, found, isMachine: true, isCompleted: true);
        for (int i = 0; i < others; i++)
            Take(kept, found, isMachine: false, isCompleted: i % 2 == 0);
        Assert.Equal(areKept ? TaskKinds.Plain | TaskKinds.Completed : TaskKinds.Completed, kept.Kinds);
        Assert.Equal(rows, kept.Of([.. found]).Length);
    }

    [Fact]
    public void All_that_were_asked_for_are_kept_however_many()
    {
        var kept = new KeptTasks(TaskKinds.Plain, Most);
        var found = new List<TaskRow>();
        for (int i = 0; i < 100; i++)
            Take(kept, found, isMachine: false, isCompleted: i % 2 == 0);
        Assert.Equal(TaskKinds.Plain, kept.Kinds);
        Assert.Equal(50, kept.Of([.. found]).Length);
    }

    [Fact]
    public void None_are_kept_for_who_asks_once()
    {
        Assert.False(KeptTasks.None.HasCompleted);
        Assert.False(KeptTasks.None.Takes(hasMethod: false, isWaitedFor: true, isCompleted: false));
        Assert.Equal(TaskKinds.None, KeptTasks.None.Kinds);
    }

    private static void Take(KeptTasks kept, List<TaskRow> found, bool isMachine, bool isCompleted)
    {
        if (kept.Takes(isMachine, isWaitedFor: true, isCompleted))
            found.Add(new((ulong)found.Count + 1, 1, 0, isCompleted, isMachine));
    }
}
