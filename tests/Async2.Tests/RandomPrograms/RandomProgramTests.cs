using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.RandomPrograms;

/// <summary>
/// Programs that nobody thought of, checked against their own record in each way of compiling. A few fixed ones by default;
/// ASYNC2_RANDOM_SEEDS=from-to runs others, ASYNC2_RANDOM_FOLDER keeps them, ASYNC2_RANDOM_MODES chooses the ways.
/// </summary>
[Trait("Category", "Integration")]
public sealed class RandomProgramTests(ITestOutputHelper output)
{
    private static readonly (string Name, string Build, string[] Arguments, (string, string)[] Variables)[] Modes =
    [
        ("cold", "Release", [], []),
        ("full", "Release", [], [("DOTNET_TieredCompilation", "0")]),
        ("warm", "Release", ["--warm", "60"], []),
        ("debug", "Debug", [], []),
    ];

    [Fact]
    public void Frames_of_random_programs_are_at_their_recorded_awaits()
    {
        using var temporary = new TemporaryFolder();
        string[] modes = Variable("ASYNC2_RANDOM_MODES", "cold,full,warm,debug").Split(',');
        int[] seeds = [.. Variable("ASYNC2_RANDOM_SEEDS", "5-5").Split('-').Select(s => int.Parse(s, CultureInfo.InvariantCulture))];
        var results = modes.ToDictionary(m => m, _ => new List<RandomResult>());
        for (int seed = seeds[0]; seed <= seeds[^1]; seed++)
        {
            string folder = Path.Join(Variable("ASYNC2_RANDOM_FOLDER", temporary.Path), $"seed{seed}");
            RandomProgram program = RandomProgram.Make(seed, folder);
            foreach (string mode in modes)
                results[mode].Add(Run(program, mode, seed));
        }
        foreach ((string mode, List<RandomResult> of) in results)
            output.WriteLine(RandomReport.Line(mode, of));
        foreach ((string mode, List<RandomResult> of) in results)
        {
            int physical = of.Sum(r => r.Sum("Continuation"));
            Assert.Equal(0, of.Sum(r => r.Sum("Exact", "wrong") + r.Sum("Exact", "invented") + r.Sum("stack")));
            Assert.True(physical > 500 && of.Sum(r => r.Sum("Continuation", "right")) >= physical * 0.98, RandomReport.Line(mode, of));
        }
    }

    private RandomResult Run(RandomProgram program, string modeName, int seed)
    {
        var mode = Modes.Single(m => m.Name == modeName);
        ScenarioBuild build = program.BuildOf(mode.Build);
        using var process = ScenarioProcess.Start(build, mode.Arguments, mode.Variables);
        using var target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        var result = new RandomResult(SiteMap.Read(build.Assembly));
        result.Compare(Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false }), process.Truth, target);
        output.WriteLine(RandomReport.Line($"{mode.Name} seed {seed}", [result]));
        foreach ((string detail, int count) in result.Details.Where(d => !d.Key.StartsWith("missing", StringComparison.Ordinal)))
            output.WriteLine($"    {mode.Name} seed {seed} {count} x {detail}");
        return result;
    }

    private static string Variable(string name, string otherwise) => Environment.GetEnvironmentVariable(name) ?? otherwise;
}
