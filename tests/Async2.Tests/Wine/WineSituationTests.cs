using System.Text;
using System.Text.RegularExpressions;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Formats;
using Async2.Tests.Integration.Findings;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Wine;

/// <summary>Situations on Windows, live and from a dump: what is wrong is found and nothing else, and stacks, lines, states and reasons are those that the tool shows of the same program on Linux.</summary>
[Trait("Category", "Wine")]
public sealed partial class WineSituationTests(ITestOutputHelper output)
{
    /// <summary>Locks of threads and a thread that waits for a task; gates, found by code; a context; ends of methods; all kinds of waits.</summary>
    private static readonly (string Name, string Build)[] Some =
        [("crossed", Classic), ("transfers", RuntimeAsync), ("contextPending", RuntimeAsync), ("stopped", Classic), ("linked", RuntimeAsync)];

    private const string RuntimeAsync = "Situations", Classic = "Situations.Classic";

    /// <summary>With ASYNC2_LONG=1 all of which there is a table.</summary>
    public static TheoryData<string, string> Situations => LongRuns.Of(0, 1) == 0
        ? [.. Some] : [.. FindingTable.Wrong.Concat(FindingTable.Others).SelectMany(row => new[] { (row.Data, RuntimeAsync), (row.Data, Classic) })];

    [Theory]
    [MemberData(nameof(Situations))]
    public void Stacks_and_findings_are_those_of_Linux(string situation, string build)
    {
        string assembly = (build == Classic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations).Assembly;
        string[] here;
        using (ScenarioProcess process = ScenarioProcess.Start(new ScenarioBuild(assembly), [situation]))
            here = Described(ViewOf(ToolRun.Of($"{process.Pid}", "--deep", "--format", "json")));
        using WineProgram program = WineProgram.Start(assembly, [situation]);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("situation.dmp");
        StackView live = LookAt(program);
        ToolRun written = WineMachine.Run("dump", "collect", program.Pid, "-o", WineMachine.NameOf(dump));
        Assert.True(written.ExitCode == 0, written.Error);
        StackView dumped = ViewOf(WineMachine.Run(WineMachine.NameOf(dump), "--deep", "--format", "json"));
        foreach (StackView view in (StackView[])[live, dumped])
        {
            output.WriteLine($"{situation} {build}: {view.Totals.Stacks} stacks, {here.Intersect(Described(view)).Count()} of {here.Length} as on Linux");
            Assert.Equal(here, Described(view));
            FindingTable.Check(situation, view);
        }
    }

    /// <summary>Threads that stand in the runtime's own code, of which it notes no caller: the libraries' tables lead to it.</summary>
    [Fact]
    public void A_method_is_running_whatever_native_code_it_calls()
    {
        string[] running = ["MeasureAsync", "StoreAsync", "CopyAsync", "ComputeAsync", "AllocateAsync"];
        // They never rest: more than one would leave few processors to the tool.
        int count = LongRuns.Of(1, running.Length);
        using WineProgram program = WineProgram.Start(ScenarioBuild.Situations.Assembly, ["inNative", $"{count}"]);
        StackView view = LookUntilPlaced(program);
        Assert.DoesNotContain(view.Problems, problem => problem.Code == ProblemCodes.NativeCallerUnknown);
        Assert.Equal(running.Take(count).Order(StringComparer.Ordinal), view.Stacks.Select(stack => stack.Frames[^1].Name).Order(StringComparer.Ordinal));
        Assert.All(view.Stacks, stack => Assert.Equal((FrameKind.Thread, true), (stack.Frames[0].Kind, stack.Thread is not null)));
        LogicalStack measuring = view.Stacks.Single(stack => stack.Frames[^1].Name == "MeasureAsync");
        int line = program.Truth.Marks!["measure"];
        Assert.Contains(measuring.Frames, frame => frame.Name == "MeasureAsync" && frame.Line >= line + 1 && frame.Line <= line + 2);
    }

    // Asking for the time runs code of Wine for Linux, which belongs to no library that Windows has loaded: a thread is there in 3 of 5 moments (counted), and the tool looks twice.
    private static StackView LookUntilPlaced(WineProgram program) => LookWithout(ProblemCodes.NativeCallerUnknown, 10, program.Pid, "--format", "json");

    // In a moment in which the search for orphans cannot be made, for one in a collection, none can be found.
    private static StackView LookAt(WineProgram program) => LookWithout(ProblemCodes.ReachUnknown, 5, program.Pid, "--deep", "--format", "json");

    private static StackView LookWithout(string problemCode, int most, params string[] words)
    {
        StackView view;
        int looks = 0;
        do
            view = ViewOf(WineMachine.Run(words));
        while (view.Problems.Any(problem => problem.Code == problemCode) && ++looks < most);
        return view;
    }

    private static StackView ViewOf(ToolRun run)
    {
        Assert.True(run.ExitCode is 0 or 4, run.Error);
        return JsonViewReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(run.Output)));
    }

    private static string[] Described(StackView view) => [.. view.Stacks.Where(stack => stack.Idle is null).Select(Described).Order(StringComparer.Ordinal)];

    // Frames of the program: what it is made of inside .NET differs.
    private static string Described(LogicalStack stack)
        => $"{stack.Count}x {stack.State} {string.Join(" < ", stack.Frames.Where(frame => frame.Module?.StartsWith(RuntimeAsync, StringComparison.Ordinal) == true).Select(frame => $"{frame.Kind} {frame.Method} {frame.Line} {frame.Exactness}"))}"
            + $": {stack.WaitingOn?.Kind} {Numbers().Replace(stack.WaitingOn?.Text ?? "", "#")}";

    [GeneratedRegex(@"0x[0-9a-f]+|\d+")]
    private static partial Regex Numbers();
}
