using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>A state machine in a state that its code never stores is damaged; that is said, and no line is claimed.</summary>
[Trait("Category", "Integration")]
public sealed class ImpossibleStateTests
{
    private const string Source = """
        using System.Reflection;
        using System.Threading.Tasks;

        class P
        {
            static readonly TaskCompletionSource<int> Never = new();

            static async Task<int> WaitAsync(int count)
            {
                for (int i = 0; i < count; i++) await Task.CompletedTask;
                return await Never.Task + await Never.Task;
            }

            static void Main()
            {
                Task<int> well = WaitAsync(1), ill = WaitAsync(2);
                object machine = ill.GetType().GetField("StateMachine")!.GetValue(ill)!;
                machine.GetType().GetField("<>1__state")!.SetValue(machine, STATE);
                System.Console.WriteLine("{\"stacks\":[]}");
                System.Console.WriteLine("ready " + System.Environment.ProcessId);
                System.Console.In.ReadLine();
                System.GC.KeepAlive(well);
                System.GC.KeepAlive(ill);
            }
        }
        """;

    [Theory]
    [InlineData(3)]
    [InlineData(77)]
    [InlineData(-9)]
    [InlineData(int.MaxValue)]
    public void A_state_that_no_await_stores_is_damage(int state)
    {
        StackView snapshot = Look(state);
        Assert.Equal([ProblemCodes.ImpossibleState], snapshot.Problems.Select(p => p.Code));
        Assert.Contains($"has state {state}, which its code never stores", snapshot.Problems[0].Text, StringComparison.Ordinal);
        Assert.False(snapshot.Complete);
        Assert.Equal([Exactness.None, Exactness.Exact], snapshot.Stacks.Select(s => s.Frames[0].Exactness).Order());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void A_state_that_an_await_stores_is_not(int state)
    {
        StackView snapshot = Look(state);
        Assert.Equal([], snapshot.Problems.Select(p => p.Text));
        Assert.Equal([Exactness.Exact, Exactness.Exact], snapshot.Stacks.Select(s => s.Frames[0].Exactness));
    }

    private static StackView Look(int state)
    {
        using var program = new IdleProgram(Source.Replace("STATE", $"{state}", StringComparison.Ordinal));
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        using var target = Target.Open($"{process.Pid}", new TargetOptions());
        StackView snapshot = Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false });
        return snapshot with { Stacks = [.. snapshot.Stacks.Where(s => s.Thread is null)], Problems = [.. snapshot.Problems.Where(p => p.Code != ProblemCodes.SymbolsMissing && p.Code != ProblemCodes.SymbolsMismatched)] };
    }
}
