using System.Globalization;
using System.Runtime.InteropServices;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Surveys;

/// <summary>
/// A program that records outside of its heap what each of its chains is doing, read while it does it: the record and the stacks in one copy have to
/// agree. With <c>ASYNC2_LONG</c> as often as docs/performance.md says.
/// </summary>
[Trait("Category", "Integration")]
public sealed class RecordedTests(ITestOutputHelper output)
{
    private const int Chains = 200;

    // Chains that are just going to rest, or were just told to go on: as many as threads can be busy with.
    private const int MostUnderWay = 20;

    // Of the round that is shown: rests, or was told to go on.
    private const int MostAhead = 2;

    [Theory]
    [InlineData(false, FreezeMode.Parts)]
    [InlineData(true, FreezeMode.Parts)]
    [InlineData(true, FreezeMode.Copy)]
    public void What_is_shown_is_what_the_program_recorded(bool classic, FreezeMode mode)
    {
        using ScenarioProcess process = ScenarioProcess.Start(classic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, ["recorded", Chains.ToString(CultureInfo.InvariantCulture)], ("DOTNET_GCgen0size", "4000000"), ScenarioProcess.Untiered);
        ulong address = (ulong)process.Ask("record");
        int captures = LongRuns.Of(mode == FreezeMode.Parts ? 8 : 2, 300), inParts = 0, rests = 0, missing = 0, again = 0;
        double longest = 0;
        for (int i = 0; i < captures; i++)
        {
            using Target target = Target.OpenProcess(process.Pid, new TargetOptions { Freeze = mode });
            StackView view = Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false, Locals = true, Deep = false }, cancellation: TestContext.Current.CancellationToken);
            long[] record = new long[Chains];
            Assert.True(target.Memory.TryRead(address, MemoryMarshal.AsBytes(record.AsSpan())));
            Dictionary<int, long> shown = Rests(view);
            foreach ((int chain, long round) in shown)
                Assert.True(record[chain] - (round * 2) is >= 1 and <= MostAhead, $"chain {chain} is shown in round {round}, and was recorded as {record[chain]}");
            int[] resting = [.. Enumerable.Range(0, Chains).Where(chain => record[chain] % 2 == 1)];
            rests += resting.Length;
            int underWay = resting.Count(chain => !shown.ContainsKey(chain));
            missing += underWay;
            Assert.InRange(underWay, 0, MostUnderWay);
            OldHeap? old = target.Origin.Copy?.Old;
            inParts += old is null ? 0 : 1;
            again += old is { Changed.Count: > 0 } ? 1 : 0;
            longest = Math.Max(longest, view.Target.FreezeMs ?? 0);
            foreach (Problem problem in view.Problems)
                output.WriteLine($"{problem.Code} {problem.Text}");
        }
        output.WriteLine($"{captures} captures, {inParts} of parts, {rests} rests, {missing} under way, {again} with something missing, stopped for {longest} ms at most");
        Assert.True(mode == FreezeMode.Parts ? inParts > 0 : inParts == 0);
    }

    // The round in which each chain rests, by what its frames have saved; they all say the same.
    private static Dictionary<int, long> Rests(StackView view)
    {
        var rests = new Dictionary<int, long>();
        foreach (LogicalStack stack in view.Stacks.Where(stack => stack.Frames.Any(frame => frame is { Name: "RestAsync", Kind: not FrameKind.Thread })))
        {
            int[] chains = [.. stack.Frames.SelectMany(frame => frame.Locals).Where(local => local.Name == "chain").Select(local => int.Parse(local.Value, CultureInfo.InvariantCulture)).Distinct()];
            long[] rounds = [.. stack.Frames.Where(frame => frame.Name != "ServeAsync").SelectMany(frame => frame.Locals).Where(local => local.Name == "round").Select(local => long.Parse(local.Value, CultureInfo.InvariantCulture)).Distinct()];
            // Its callers have not got its task yet.
            if (stack.Frames[^1].Name != "ServeAsync" || (chains.Length == 0 && rounds.Length == 0))
                continue;
            rests.Add(Assert.Single(chains), Assert.Single(rounds));
            Assert.Equal(1 + (rounds[0] % 4), stack.Frames.Count(frame => frame.Name == "DescendAsync"));
        }
        return rests;
    }
}
