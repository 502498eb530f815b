using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Reachability;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Reachability;

/// <summary>What a process that runs on has done with the objects of a wait since it was copied.</summary>
[Trait("Category", "Integration")]
public sealed class StillWaitingTests
{
    private const string Source = """
        new System.Threading.Thread(() => { while (true) { Kept.Moving.Count++; System.Threading.Thread.Sleep(1); } }) { IsBackground = true }.Start();
        System.Console.WriteLine("{\"stacks\":[]}");
        System.Console.WriteLine("ready " + System.Environment.ProcessId);
        System.Console.In.ReadLine();
        System.GC.KeepAlive(Kept.Still);
        class Counter { public long Count; }
        class Idler { public long Count; }
        static class Kept { public static readonly Counter Moving = new(); public static readonly Idler Still = new(); }
        """;

    [Fact]
    public void What_has_changed_since_does_not_wait_any_more()
    {
        using var program = new IdleProgram(Source);
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        using Target target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        ulong moving = Find(target, "Counter"), still = Find(target, "Idler");
        var entered = new WaitGate(GateKind.Resource, still);
        entered.AddEntry(moving);
        var waited = new WaitGate(GateKind.Resource, still);
        waited.AddWaiter(moving);
        var stands = new WaitGate(GateKind.Resource, still);
        stands.AddEntry(still);
        stands.AddWaiter(still);
        WaitGate[] all = [new(GateKind.Promise, moving), entered, waited, stands];
        Thread.Sleep(50);
        Assert.Equal([stands], StillWaiting.Of(target, [.. all.Select(wait => (wait, OrphanFact.Unreachable))]).Select(found => found.Wait));
    }

    [Fact]
    public void What_is_held_still_is_as_it_was()
    {
        using var program = new IdleProgram(Source);
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        using Target held = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions { Freeze = FreezeMode.Full });
        Assert.Single(StillWaiting.Of(held, [(new WaitGate(GateKind.Promise, Find(held, "Counter")), OrphanFact.Unreachable)]));
    }

    private static ulong Find(Target target, string type) => target.Runtime.Heap.EnumerateObjects().Single(item => item.Type?.Name == type).Address;
}
