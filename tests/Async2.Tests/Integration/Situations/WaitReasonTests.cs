using Async2.Analysis;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Formatting;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Waits;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Integration.Situations;

/// <summary>Every awaited object whose words a scenario expects says them: runtime-async and classic, live and from a dump.</summary>
[Trait("Category", "Integration")]
public sealed class WaitReasonTests(ITestOutputHelper output)
{
    private static readonly string[] Only =
    [
        "--only",
        "CancellableWait,ChannelKinds,ChannelRead,CompletionSource,DelegateTasks,FrameworkFrames,PartlyDone,PeriodicTimerWait,PipeEnds,ProcessExit,"
            + "SemaphoreQueue,SemaphoreWait,SocketEnds,Timers,ValueTaskSource,WhenAllChildren",
    ];

    public static TheoryData<string> Builds => OlderRuntime.Framework is null ? ["runtime-async", "classic"] : ["classic"];

    [Theory]
    [MemberData(nameof(Builds))]
    public void Awaited_objects_show_what_the_scenario_expects(string build)
    {
        bool runtimeAsync = build == "runtime-async";
        ScenarioBuild program = runtimeAsync ? ScenarioBuild.Release : OlderRuntime.Classic;
        string[] arguments = OlderRuntime.HasWhenEach ? [Only[0], Only[1] + ",WhenEachChildren"] : Only;
        using var process = ScenarioProcess.Start(program, arguments);
        Compare(process.Truth, process.Pid.ToString(), runtimeAsync, new TargetOptions());
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("waits.dmp");
        ProgramDump.Write(process.Pid, dump);
        Compare(process.Truth, dump, runtimeAsync, program.ForDump);
    }

    private void Compare(Truth truth, string name, bool runtimeAsync, TargetOptions options)
    {
        using var target = Target.Open(name, options);
        ILookup<string, ulong> awaited = runtimeAsync ? AwaitedByChains(target) : AwaitedByBoxes(target);
        var reader = new WaitReasonReader(target, new LoadedModules(target, new ProblemLog()), HeapResources.Of(target));
        var missing = new List<string>();
        foreach (IGrouping<string, TruthStack> scenario in truth.Stacks.Where(s => s.Wait is not null).GroupBy(s => s.Scenario))
        {
            List<string> said = [.. awaited[scenario.Key].Select(reader.Read).Select(Words).Order(StringComparer.Ordinal)];
            output.WriteLine($"{scenario.Key}: {string.Join(" | ", said)}");
            foreach (TruthStack stack in scenario)
            {
                int found = said.FindIndex(text => WaitPattern.Fits(stack.Wait!, text));
                if (found >= 0)
                    said.RemoveAt(found);
                else
                    missing.Add($"{scenario.Key}/{stack.Stack}: nobody says '{stack.Wait}'; left are: {string.Join(" | ", said)}");
            }
        }
        Assert.Empty(missing);
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_semaphore_is_a_semaphore_with_a_timeout_too(string build)
    {
        using var process = ScenarioProcess.Start(build == "runtime-async" ? ScenarioBuild.Release : OlderRuntime.Classic, ["--only", "SemaphoreWait"]);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        var waits = Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false }, cancellation: TestContext.Current.CancellationToken).Stacks.ToDictionary(s => s.Frames.First(f => f.Name?.StartsWith("Enter", StringComparison.Ordinal) == true).Name!, s => s.WaitingOn!);
        Assert.Equal((WaitKind.Semaphore, WaitKind.Semaphore), (waits["EnterAsync"].Kind, waits["EnterWithTimeoutAsync"].Kind));
        Assert.Contains("timeout", waits["EnterWithTimeoutAsync"].FullText, StringComparison.Ordinal);
    }

    [Fact]
    public void Nothing_that_looks_like_an_object_makes_the_readers_fail()
    {
        using var process = ScenarioProcess.Start(ScenarioBuild.Release, Only);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        var modules = new LoadedModules(target, new ProblemLog());
        var resources = HeapResources.Of(target);
        var awaited = new WaitReasonReader(target, modules, resources);
        var threads = new ThreadWaitReader(target, modules, resources);
        ulong[] objects = [.. target.Runtime.Heap.EnumerateObjects().Select(o => o.Address)];
        Assert.True(objects.Length > 1000);
        foreach (ulong address in (ulong[])[.. objects, 0, 1, 8, ulong.MaxValue, ulong.MaxValue - 7])
        {
            awaited.Read(address);
            awaited.Read(address + 4);
            awaited.Read(address + 8);
        }
        foreach (string type in (string[])["Monitor", "Lock", "ReaderWriterLockSlim", "SemaphoreSlim", "ManualResetEventSlim", "CountdownEvent", "Barrier", "WaitHandle", "Thread"])
            Assert.NotNull(threads.Read("System.Threading." + type, "Join", [.. objects.Take(5000), 0, 1, ulong.MaxValue], 1));
    }

    // A framework's own async method in between is not a part of the foretelling.
    private static string Words(WaitReason? reason)
    {
        const string through = "for ";
        string text = reason is null ? "nothing" : WaitFormatter.Full(reason);
        return text.StartsWith(through, StringComparison.Ordinal) ? text[through.Length..] : text;
    }

    private static ILookup<string, ulong> AwaitedByChains(Target target)
        => Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false }).Stacks
            .Where(s => s.WaitingOn?.Address is not null && s.Frames.Any(TruthComparison.IsUser))
            .ToLookup(s => Path.GetFileNameWithoutExtension(s.Frames.First(TruthComparison.IsUser).File ?? ""), s => s.WaitingOn!.Address!.Value);

    private static ILookup<string, ulong> AwaitedByBoxes(Target target)
    {
        var found = new List<(string Scenario, ulong Awaited)>();
        var boxes = new LayoutCache<StateMachineSourceLayout>(target.Runtime, StateMachineSourceLayout.Of);
        foreach (ClrObject item in target.Runtime.Heap.EnumerateObjects().Where(o => o.Type?.Name?.Contains("Scenarios.Waits.", StringComparison.Ordinal) == true))
        {
            var box = new HeapObject(target.Memory, item.Address);
            if (boxes.Of(box) is not { } layout || layout.Machine.Name is not { } name || !name.StartsWith("Scenarios.Waits.", StringComparison.Ordinal))
                continue;
            string scenario = name["Scenarios.Waits.".Length..].Split('+')[0];
            found.AddRange(layout.Awaited.Select(box.Reference).Where(a => a != 0).Select(a => (scenario, a)));
        }
        return found.ToLookup(f => f.Scenario, f => f.Awaited);
    }
}
