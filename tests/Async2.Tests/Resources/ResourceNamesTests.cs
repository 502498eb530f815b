using Async2.Analysis;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Model;
using Async2.Analysis.Resources;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Waits;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Resources;

/// <summary>Semaphores of a real program by the names that its source has.</summary>
[Trait("Category", "Integration")]
public sealed class ResourceNamesTests
{
    private const string Named =
        "SemaphoreSlim  x1 | SemaphoreSlim Named.Door x3 | SemaphoreSlim Named.Gates[1] x1 | SemaphoreSlim Named.Guests[...] x1 | SemaphoreSlim Named.Till x2 | SemaphoreSlim Named._oven x2 | int Named._orders x1";

    [Theory]
    [InlineData("Situations", "named", Named)]
    [InlineData("Situations.Classic", "named", Named)]
    [InlineData("Situations", "namedIterator", "SemaphoreSlim turn x1")]
    [InlineData("Situations.Classic", "namedIterator", "SemaphoreSlim turn x1")]
    public void A_semaphore_has_the_name_that_the_program_gave_it(string build, string situation, string expected)
    {
        using var process = ScenarioProcess.Start(build == "Situations" ? ScenarioBuild.Situations : ScenarioBuild.SituationsClassic, [situation]);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        var problems = new ProblemLog();
        var modules = new LoadedModules(target, problems);
        var reasons = new WaitReasonReader(target, modules, HeapResources.Of(target));
        var names = new ResourceNames(target, modules, new StaticFields(target, modules), problems);
        var found = new SortedDictionary<string, int>(StringComparer.Ordinal);
        foreach (LogicalStack stack in Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false }, cancellation: TestContext.Current.CancellationToken).Stacks)
        {
            if (stack.WaitingOn is not { Kind: WaitKind.Semaphore or WaitKind.Channel, Address: { } address } || reasons.Read(address) is not { Resource: not 0 } reason)
                continue;
            WaitResource resource = names.Of(reason.Resource, stack.Frames.Select(frame => frame.Address ?? 0));
            string name = $"{resource.Type?.Split('.', '<')[^1].TrimEnd('>')} {resource.Name}";
            found[name] = found.GetValueOrDefault(name) + 1;
        }
        Assert.Equal(
            expected,
            string.Join(" | ", found.Select(f => $"{f.Key} x{f.Value}").Order(StringComparer.Ordinal)));
        Assert.DoesNotContain(problems.ToImmutable(), problem => problem.Code == ProblemCodes.NamesCutShort);
    }
}
