using Async2.Analysis.Model;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>What is read of the thread pool is what the runtime says of it, in both builds, live and from a dump, and on older runtimes.</summary>
[Trait("Category", "Integration")]
public sealed class PoolFactsTests
{
    private const int Stuck = 500;

    public static TheoryData<string> Builds => OlderRuntime.Framework is { } name ? [name] : ["Situations", "Situations.Classic"];

    [Theory]
    [MemberData(nameof(Builds))]
    public void Workers_and_what_is_queued_are_counted(string build)
    {
        foreach (Situation found in Situation.LookTwice(build, "poolWaiting"))
        {
            PoolFacts pool = found.Pool!;
            int workers = found.Truth.Marks!["pool.threads"], queued = found.Truth.Marks["pool.queued"];
            Assert.Equal((6, 34), (workers, queued));
            Assert.Equal((workers, workers, workers), (pool.Working, pool.Existing, pool.Goal));
            Assert.Equal((workers, found.Truth.Marks["pool.max"]), (pool.Min, pool.Max));
            Assert.Equal(queued, pool.Queued);
            Assert.Equal(new QueuedWork(QueuedWorkKind.Callback, "Starved.StartWaiting.lambda", queued), Assert.Single(pool.Queue));
            Assert.Equal(workers, pool.Workers.Length);
            Assert.Equal((0, 0), (pool.BlockedInTask, pool.AddedForBlocking));
        }
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Workers_in_a_tasks_wait_are_counted_and_it_is_known_how_long_none_was_free(string build)
    {
        Situation[] found = Situation.LookTwice(build, "poolResult");
        Assert.All(found, look => Assert.Equal((6, 0), (look.Pool!.BlockedInTask, look.Pool.AddedForBlocking)));
        Assert.All(found, look => Assert.Contains(look.Pool!.Queue, work => work.Kind == QueuedWorkKind.Timers));
        // A blocked worker first gives what it has queued for itself to the queue that all look at first.
        Assert.All(found, look => Assert.Equal((24, 0), (look.Pool!.Global, look.Pool.Local)));
        Assert.Equal((false, true), (found[0].Pool!.IsSinceProgressBound, found[1].Pool!.IsSinceProgressBound));
        Assert.InRange(found[0].Pool!.SinceProgressMs ?? -1, Stuck, 600_000);
        Assert.InRange(found[1].Pool!.SinceProgressMs ?? -1, 0, found[0].Pool!.SinceProgressMs!.Value + 600_000);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Workers_that_were_added_have_a_reason(string build)
    {
        PoolFacts slept = Situation.Look(build, "poolSleeping").Pool!, rescued = Situation.Look(build, "poolRescued").Pool!;
        Assert.Equal(("Starvation", slept.Goal), (slept.LastAdjustment?.Reason, slept.LastAdjustment?.Goal));
        Assert.InRange(slept.LastAdjustment!.AgoMs ?? -1, 0, 600_000);
        Assert.Equal("CooperativeBlocking", rescued.LastAdjustment?.Reason);
        Assert.InRange(rescued.AddedForBlocking ?? 0, 1, rescued.Existing);
        Assert.True(rescued.BlockedInTask > 2 && rescued.Queued > 0);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_pool_that_moves_has_made_progress(string build)
    {
        foreach (string situation in (string[])["poolFed", "poolBrief"])
        {
            PoolFacts pool = Situation.Look(build, situation).Pool!;
            Assert.InRange(pool.SinceProgressMs ?? -1, 0, Stuck - 1);
            Assert.True(pool.Queued > 0 && pool.Working == pool.Existing);
        }
    }
}
