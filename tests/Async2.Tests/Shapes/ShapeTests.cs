using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Shapes;

/// <summary>
/// Awkward statements, stopped at each of their calls, in threads and in async methods, in every way of compiling: a line that
/// is called exact is the one that the program noted, and what is not sure does not say that it is.
/// </summary>
[Trait("Category", "Integration")]
public sealed class ShapeTests(ITestOutputHelper output)
{
    private static readonly (string Name, string Build, string[] Arguments, (string, string)[] Variables)[] Modes =
    [
        ("cold", "Release", [], []),
        ("full", "Release", [], [("DOTNET_TieredCompilation", "0")]),
        ("warm", "Release", ["120"], []),
        ("debug", "Debug", [], []),
    ];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_line_that_is_called_exact_is_the_one_the_program_noted(bool isRuntimeAsync)
    {
        using var temporary = new TemporaryFolder();
        ShapeProgram program = ShapeProgram.Make(Environment.GetEnvironmentVariable("ASYNC2_SHAPES_FOLDER") is { } kept ? Path.Join(kept, isRuntimeAsync ? "r" : "c") : temporary.Path, isRuntimeAsync);
        var bodies = new Dictionary<string, string>();
        var results = Modes.ToDictionary(m => m.Name, m => Run(program, m.Build, m.Arguments, m.Variables, bodies));
        foreach ((string mode, ShapeResult result) in results)
            output.WriteLine($"{mode}: {result}");
        foreach ((string mode, ShapeResult result) in results)
        {
            // Optimised code leaves no frame of a method that ends with the call.
            string[] unsaid = mode is "cold" or "debug" ? ["Exact", "Order", "Approximate", "lost"] : ["Exact", "Order"];
            Assert.Equal([], result.Mistakes.Where(m => unsaid.Contains(m.Split(' ')[0])).Select(m => $"{mode} {m}"));
        }
        // Measured: 211, 190, 135, 129 of 211.
        Assert.True(results["debug"]["thread Exact right"] >= 211 && results["cold"]["thread Exact right"] >= 190);
        Assert.True(results["full"]["thread Exact right"] >= 130 && results["warm"]["thread Exact right"] >= 120);
    }

    // The first mode fills in the bodies.
    private static ShapeResult Run(ShapeProgram program, string build, string[] arguments, (string, string)[] variables, Dictionary<string, string> bodies)
    {
        using var process = ScenarioProcess.Start(program.BuildOf(build), arguments, variables);
        using var target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        StackView snapshot = Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false });
        foreach (TruthThread thread in process.Truth.Threads!)
            bodies.TryAdd(thread.Name, thread.Method);
        var result = new ShapeResult();
        result.CompareThreads(
            snapshot, process.Truth, bodies, id => Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false, Query = new StackQuery { Thread = id } }).Stacks.FirstOrDefault());
        result.CompareStacks(snapshot, process.Truth, target);
        return result;
    }
}
