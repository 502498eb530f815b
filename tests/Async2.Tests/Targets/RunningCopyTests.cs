using System.Diagnostics;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Targets;

/// <summary>
/// A process that is copied while its chains advance on two threads: every chain says its number in each frame, so a stack made of
/// two chains is found out.
/// </summary>
[Trait("Category", "Integration")]
public sealed class RunningCopyTests(ITestOutputHelper output)
{
    private const int Chains = 200;

    private static int Captures => LongRuns.Of(12, 500);

    /// <param name="generation0">
    /// What is allocated between two collections. With the default of so small a program they come every few milliseconds, memory is
    /// used again and again, and without any check 4 of 5,587 stacks were mixed. With 32 MB most copies are without a collection.
    /// </param>
    [Theory]
    [InlineData("0")]
    [InlineData("2000000")]
    public void No_stack_is_made_of_two_chains(string generation0)
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["churn", Chains.ToString()], ("DOTNET_GCgen0size", generation0));
        int stacks = 0, torn = 0, mixed = 0, moved = 0, nameless = 0;
        double resumed = process.Ask("steps");
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < Captures; i++)
        {
            using var target = Target.OpenProcess(process.Pid, new TargetOptions { Freeze = FreezeMode.None });
            StackView snapshot = Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false, Locals = true }, cancellation: TestContext.Current.CancellationToken);
            stacks += snapshot.Stacks.Length;
            mixed += snapshot.Stacks.Count(stack => ChainsIn(stack).Distinct().Count() > 1);
            nameless += snapshot.Stacks.Count(stack => !ChainsIn(stack).Any());
            moved += snapshot.Problems.Count(p => p.Code == ProblemCodes.NotFrozen);
            torn += snapshot.Problems.Where(p => p.Code == ProblemCodes.TornChains).Sum(p => int.Parse(p.Text.Split(' ')[0]));
            if (i < 5)
                output.WriteLine(string.Join("; ", snapshot.Problems.Select(p => p.Code + " " + p.Text)));
        }
        TimeSpan took = Stopwatch.GetElapsedTime(start);
        output.WriteLine($"{Captures} captures in {took.TotalSeconds:F1} s, {stacks} stacks, {torn} torn, {mixed} mixed, {nameless} without a number, {moved} with a collection each time, {process.Ask("steps") - resumed} steps");
        Assert.Equal(0, mixed);
        // Where copies are slow beside the program every chain is torn.
        Assert.True(stacks + torn > Captures / 2, "hardly a stack was found");
        Assert.True(torn > 0, "nothing was torn: the test tests nothing");
    }

    internal static IEnumerable<string> ChainsIn(LogicalStack stack)
        => stack.Frames.SelectMany(frame => frame.Locals).Where(local => local.Name == "chain").Select(local => local.Value);
}
