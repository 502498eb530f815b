using Async2.Analysis.Targets.Stopping;

namespace Async2.Tests.Targets.Stopping;

/// <summary>Who gives way to others does not stop a process: somebody does it for them who does not.</summary>
public sealed class UrgentWorkTests
{
    private const int Niceness = 10;

    [Fact]
    public void Who_gives_way_has_it_done_by_a_thread_that_does_not()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only");
        int own = ThreadUrgency.Niceness;
        UrgentWork.Prepare();
        Assert.SkipUnless(own < Niceness, "these tests are run with a niceness themselves");
        (int before, int inside, int after) = (0, 0, 0);
        string? failure = null;
        OnThread(() =>
        {
            ThreadUrgency.Set(Niceness);
            before = ThreadUrgency.Niceness;
            inside = UrgentWork.Do(() => ThreadUrgency.Niceness);
            after = ThreadUrgency.Niceness;
            failure = Assert.Throws<InvalidOperationException>(() => UrgentWork.Do<int>(() => throw new InvalidOperationException("no"))).Message;
        });
        Assert.Equal((Niceness, Niceness, "no"), (before, after, failure));
        Assert.True(inside < Niceness, $"it was done with a niceness of {inside}");
    }

    [Fact]
    public void Who_does_not_does_it_itself()
    {
        UrgentWork.Prepare();
        Assert.Equal(Environment.CurrentManagedThreadId, UrgentWork.Do(() => Environment.CurrentManagedThreadId));
    }

    [Fact]
    public void Who_was_raised_is_as_urgent_as_before()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only");
        OnThread(() =>
        {
            int before = ThreadUrgency.Niceness, raised = ThreadUrgency.Raise();
            Assert.Equal(before, raised);
            Assert.InRange(ThreadUrgency.Niceness, -20, before);
            ThreadUrgency.Set(raised);
            Assert.Equal(before, ThreadUrgency.Niceness);
        });
    }

    private static void OnThread(Action action)
    {
        Exception? failure = null;
        var thread = new Thread(() => failure = Record.Exception(action));
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }
}
