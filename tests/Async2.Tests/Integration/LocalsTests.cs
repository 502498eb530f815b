using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration;

/// <summary>
/// Arguments and locals by name on real processes, in each way of compiling: what is shown is right, and what a method still needs
/// is shown.
/// </summary>
[Trait("Category", "Integration")]
public sealed class LocalsTests(ITestOutputHelper output)
{
    /// <summary>
    /// What the optimiser keeps under no name at all: a byte only as the int that it is widened to, a loop's counter only as the long
    /// that indexes an array.
    /// </summary>
    private static readonly string[] InTemporaries = ["CrowdedLocals.AddAsync byte f", "LoopLocals.AddAsync int i"];

    /// <summary>
    /// Of state machines: the compiler gives the field of a variable whose scope ended to another one, in optimised builds, and forgets
    /// the name of the second. What is not known is not shown under the first one's name.
    /// </summary>
    private static readonly string[] InReusedFields =
    [
        "ShadowedLocals.SellAsync string price", "ShadowedLocals.SellAsync int goods", "TryLocals.SellAsync int cleared",
    ];

    public static TheoryData<string> Modes => new(ScenarioMode.All.Select(m => m.Name));

    [Theory]
    [MemberData(nameof(Modes))]
    public void Recorded_variables_are_found_with_their_values(string modeName)
    {
        ScenarioMode mode = ScenarioMode.All.Single(m => m.Name == modeName);
        using ScenarioProcess process = mode.Start();
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        StackView snapshot = Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false, Locals = true }, cancellation: TestContext.Current.CancellationToken);

        LocalsComparison result = LocalsComparison.Of(snapshot.Stacks, process.Truth);
        output.WriteLine("| mode | recorded | right | of them by order | wrong | not found |");
        output.WriteLine(result.Row(mode.Name));
        foreach (string line in result.Wrong.Concat(result.Missing))
            output.WriteLine(line);
        Assert.Empty(result.Wrong);
        Assert.True(result.Recorded >= 130, $"only {result.Recorded} variables were recorded");
        Assert.True(result.ShareBut(NotToBeFound(mode.Name)) >= 0.99, $"{result.Right} of {result.Recorded} variables were found");
    }

    private static string[] NotToBeFound(string mode) => mode switch
    {
        "full opt" or "warm" => InTemporaries,
        "classic" or "classic, net9.0" or "classic, net8.0" => InReusedFields,
        _ => [],
    };
}
