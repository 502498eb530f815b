using System.Diagnostics;
using Async2.Analysis.Query;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Targets.Stopping;

/// <summary>A process that is stopped only until it is copied: how long that takes.</summary>
[Collection(MeasuredCollection.Name)]
[Trait("Category", "Integration")]
public sealed class FreezeTimeTests(ITestOutputHelper output)
{
    private const int Rounds = 5;
    private const int MostRounds = 15;
    private const int MostCopies = 3;

    [Fact]
    public void A_process_with_a_big_heap_is_stopped_for_a_few_copies_and_shows_what_a_dump_shows()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["beating"]);
        // Both in the same round: what else the machine does changes from one to the next.
        double copy = 1, gap = double.MaxValue;
        for (int round = 0; round < MostRounds && (round < Rounds || gap > MostCopies * copy); round++)
        {
            double own = BestCopy(process.Pid);
            process.Ask("gap");
            Assert.Equal(0, ToolRun.Of(process.Pid.ToString(), "--limit", "1").ExitCode);
            if (process.Ask("gap") is var longest && longest / own < gap / copy)
                (copy, gap) = (own, longest);
        }
        StackView live = BriefFreezeTests.Read(process.Pid.ToString());
        output.WriteLine($"one copy {copy:F1} ms, longest gap of the best run {gap:F1} ms, freezeMs {live.Target.FreezeMs}");
        Assert.True(gap <= MostCopies * copy, $"{gap:F1} ms is more than {MostCopies} times {copy:F1} ms");

        using var folder = new TemporaryFolder();
        ProgramDump.Write(process.Pid, folder.PathOf("after.dmp"));
        Assert.Equal(BriefFreezeTests.Lines(BriefFreezeTests.Read(folder.PathOf("after.dmp"))), BriefFreezeTests.Lines(live));
    }

    private static double BestCopy(int pid)
    {
        CopyPlan plan = CopyPlan.Of(pid);
        using var space = new CopySpace();
        space.Prepare(plan);
        double best = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            long start = Stopwatch.GetTimestamp();
            var copier = new ProcessCopier(pid);
            foreach (MemorySlice run in plan.Runs)
                copier.Add(run, space.Place(run));
            copier.Flush();
            best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }
        return best;
    }
}
