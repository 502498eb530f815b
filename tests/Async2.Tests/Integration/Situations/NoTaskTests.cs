using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>A program that has no task at all, not even one that the console made: its threads block like those of any other.</summary>
[Trait("Category", "Integration")]
public sealed class NoTaskTests
{
    private const string Source = """
        class P
        {
            [System.Runtime.InteropServices.DllImport("libc")] static extern nint write(int file, byte[] bytes, nint count);
            static readonly object A = new(), B = new();
            static void Say(string line) { byte[] bytes = System.Text.Encoding.UTF8.GetBytes(line + "\n"); write(1, bytes, bytes.Length); }
            static void Take(object first, object second) { lock (first) { System.Threading.Thread.Sleep(200); lock (second) { } } }
            static void Main()
            {
                new System.Threading.Thread(() => Take(A, B)).Start();
                new System.Threading.Thread(() => Take(B, A)).Start();
                System.Threading.Thread.Sleep(600);
                Say("{\"stacks\":[]}");
                Say("ready " + System.Environment.ProcessId);
                System.Threading.Thread.Sleep(-1);
            }
        }
        """;

    [Fact]
    public void Its_blocked_threads_and_their_deadlock_are_shown()
    {
        using var program = new IdleProgram(Source);
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("no-task.dmp");
        // Before a dump is asked for: that one starts the runtime's threads for diagnostics.
        Check($"{process.Pid}");
        ProgramDump.Write(process.Pid, dump);
        Check(dump);
    }

    private static void Check(string name)
    {
        using var target = Target.Open(name, new TargetOptions());
        StackView view = Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false }, cancellation: TestContext.Current.CancellationToken);
        Assert.DoesNotContain("System.Threading.Tasks.Task", target.Runtime.Heap.EnumerateObjects().Select(item => item.Type?.Name));
        Assert.Equal(("deadlock", Confidence.Certain), view.Findings.Select(finding => (finding.Rule, finding.Confidence)).Single());
        Assert.Equal(["P.Main", "P.Take"], view.Stacks.Select(stack => $"{stack.Frames[0].Type}.{stack.Frames[0].Name}").Order(StringComparer.Ordinal).Distinct());
        // It was built without symbols, and somebody may have expected async methods.
        Assert.Equal([ProblemCodes.NoRuntimeAsync, ProblemCodes.SymbolsMissing], view.Problems.Select(problem => problem.Code));
        Assert.True(view.Complete);
    }
}
