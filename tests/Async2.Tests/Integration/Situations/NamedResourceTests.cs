using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Situations;

/// <summary>Equal code that waits for different semaphores is distinguished by them, and each has the name that the program has for it.</summary>
[Trait("Category", "Integration")]
public sealed class NamedResourceTests
{
    public static TheoryData<string> Builds => ["Situations", "Situations.Classic"];

    [Theory]
    [MemberData(nameof(Builds))]
    public void Two_semaphores_are_never_one_group(string build)
    {
        using var process = Start(build);
        StackView view = Look(process.Pid);
        Assert.Equal(
            [
                "x1 SemaphoreSlim, 0 free, 1 waiting", "x1 SemaphoreSlim, Named.Gates[1], 0 free, 1 waiting",
                "x1 SemaphoreSlim, Named.Guests[...], 0 free, 1 waiting", "x2 SemaphoreSlim, Named.Till, 0 free, 2 waiting",
                "x3 SemaphoreSlim, Named.Door, 0 free, 3 waiting",
            ],
            view.Stacks.Where(s => s.Frames.Any(f => f.Name == "EnterAsync")).Select(s => $"x{s.Count} {s.WaitingOn!.FullText}").Order(StringComparer.Ordinal));
        Assert.Equal("SemaphoreSlim, Named._oven, 0 free, 2 waiting", Of(view, "BakeAsync").WaitingOn?.FullText);
        Assert.Equal("Channel<int> read, Named._orders, 0 items, 1 reader waiting", Of(view, "ServeAsync").WaitingOn?.FullText);
        Assert.Equal(5, StackSection.Of(view.Stacks.Where(s => s.Frames.Any(f => f.Name == "EnterAsync")), StackGrouping.WaitingOn).Length);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void The_address_of_a_semaphore_finds_all_its_waiters(string build)
    {
        using var process = Start(build);
        WaitResource door = Look(process.Pid).Stacks.Single(s => s.WaitingOn?.Resource?.Name == "Named.Door").WaitingOn!.Resource!;
        Assert.Equal("System.Threading.SemaphoreSlim", door.Type);
        StackView found = Look(process.Pid, new StackQuery { Address = door.Address });
        Assert.Equal(3, found.Matching?.Totals.Stacks);
        Assert.All(found.Stacks, stack => Assert.Equal(door, stack.WaitingOn?.Resource));
        Assert.Equal(2, Look(process.Pid, new StackQuery { WaitingOn = TextPattern.Parse("--waiting-on", @"Named\.Till") }).Matching?.Totals.Stacks);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_snapshot_file_knows_them_too(string build)
    {
        using var process = Start(build);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        AsyncModel model = AnalyzedTarget.Analyze(target, new AnalysisOptions(), cancellation: TestContext.Current.CancellationToken).Model;
        using var file = new MemoryStream();
        ModelWriter.Write(model, null, redacts: false, file);
        file.Position = 0;
        Assert.Equal(Waits(model), Waits(ModelReader.Read(file).Model));
        Assert.Contains("SemaphoreSlim, Named.Door, 0 free, 3 waiting", Waits(model));

        static IEnumerable<string?> Waits(AsyncModel model)
            => [.. StackAnswer.Of(model, new StackQuery(), new ViewOptions(), default).Stacks.Select(s => s.WaitingOn?.FullText)];
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_thread_says_the_name_of_its_lock(string build)
    {
        using var process = Start(build);
        LogicalStack wants = Look(process.Pid).Stacks.Single(s => s.WaitingOn is { Kind: WaitKind.Lock } && s.Thread is not null);
        Assert.Equal("Named._lock", wants.WaitingOn?.Resource?.Name);
        Assert.StartsWith("Lock, Named._lock, held by thread ", wants.WaitingOn?.FullText, StringComparison.Ordinal);
    }

    private static LogicalStack Of(StackView view, string method) => view.Stacks.Single(s => s.Frames.Any(f => f.Name == method));

    private static ScenarioProcess Start(string build)
        => ScenarioProcess.Start(build == "Situations" ? ScenarioBuild.Situations : ScenarioBuild.SituationsClassic, ["named"]);

    private static StackView Look(int pid, StackQuery? query = null)
    {
        using var target = Target.Open(pid.ToString(), new TargetOptions());
        return Analyzer.Analyze(target, new AnalysisOptions { Query = query ?? new() }, cancellation: TestContext.Current.CancellationToken);
    }
}
