using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Comparison;

/// <summary>
/// What became of operations, against what a program says itself: 100 % right without a collection, 99 % with one; live, in dumps, and by order alone where
/// variables do not tell operations apart.
/// </summary>
[Trait("Category", "Integration")]
public sealed class OperationTests(ITestOutputHelper output)
{
    // Classic builds with and without timers, and as many threads as there are kinds of operations; all kinds of collections were tried: docs/decisions/0042.
    public static TheoryData<string, string, bool> Changes => new(
        from isClassic in (bool[])[false, true]
        from row in ((string, string)[])[("changing", "change"), ("changing", "collect"), ("changingTimeless", "collect"), ("changingCrowd", "collectYoung")]
        select (row.Item1, row.Item2, isClassic));

    [Theory]
    [MemberData(nameof(Changes))]
    public void Each_operation_is_known_again(string situation, string change, bool isClassic)
    {
        using ScenarioProcess process = ScenarioProcess.Start(isClassic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, [situation], ScenarioProcess.NotCollecting);
        using var folder = new TemporaryFolder();
        NumberedModel live = NumberedModel.Of($"{process.Pid}"), dump = Dumped("before.dmp");
        process.Ask(change);
        NumberedModel liveNow = NumberedModel.Of($"{process.Pid}"), dumpNow = Dumped("after.dmp");
        double worst = 0;
        foreach ((string way, NumberedModel before, NumberedModel after) in new[] { ("live", live, liveNow), ("live, then a dump", live, dumpNow), ("dumps", dump, dumpNow) })
        {
            foreach (bool hasValues in (bool[])[true, false])
            {
                var score = PairScore.Of(before.With(hasValues), after.With(hasValues));
                output.WriteLine($"{situation} {change} {(isClassic ? "classic" : "runtime-async")} {way}{(hasValues ? "" : ", without values")}: {score}");
                worst = Math.Max(worst, score.Wrong * 100.0 / score.Operations);
            }
        }
        Assert.InRange(worst, 0, change == "change" ? 0 : 1);

        NumberedModel Dumped(string name)
        {
            string path = folder.PathOf(name);
            ProgramDump.Write(process.Pid, path);
            return NumberedModel.Of(path);
        }
    }
}
