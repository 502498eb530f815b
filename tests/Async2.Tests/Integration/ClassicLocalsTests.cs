using System.Collections.Immutable;
using Async2.Analysis.Code;
using Async2.Analysis.Nodes;
using Async2.Analysis.Nodes.Values;
using Async2.Analysis.Targets;
using Async2.Tests.Support;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Integration;

/// <summary>The same programs built with state machines: their fields are the variables.</summary>
[Trait("Category", "Integration")]
public sealed class ClassicLocalsTests(ITestOutputHelper output)
{
    /// <summary>
    /// The compiler gives the field of a variable whose scope ended to another one, in optimised builds, and forgets the name of the
    /// second. What is not known is not shown under the first one's name.
    /// </summary>
    private static readonly string[] Nameless =
    [
        "ShadowedLocals.SellAsync string price", "ShadowedLocals.SellAsync int goods", "TryLocals.SellAsync int cleared",
    ];

    [Fact]
    public void Recorded_variables_are_found_in_state_machines()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Classic, []);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        List<(string Machine, ImmutableArray<LocalValue> Locals)> machines = Machines(target);
        var result = new LocalsComparison();
        foreach (TruthStack stack in process.Truth.Stacks)
        {
            foreach (TruthFrame frame in stack.Frames.Where(f => f.Locals is not null))
                Count(result, stack.Scenario, frame, machines);
        }
        output.WriteLine(result.Row("classic"));
        foreach (string line in result.Wrong.Concat(result.Missing))
            output.WriteLine(line);
        Assert.Empty(result.Wrong);
        Assert.True(result.Recorded >= 130, $"only {result.Recorded} variables were recorded");
        Assert.True(result.ShareBut(Nameless) >= 0.99, $"{result.Right} of {result.Recorded} variables were found");
    }

    // Machines of one method are told apart by their values, and each is used once.
    private static void Count(LocalsComparison result, string scenario, TruthFrame frame, List<(string Machine, ImmutableArray<LocalValue> Locals)> machines)
    {
        var best = machines.Where(m => m.Machine.Contains("." + scenario, StringComparison.Ordinal) && m.Machine.Contains(frame.Method, StringComparison.Ordinal))
            .MaxBy(m => LocalsComparison.RightIn(m.Locals, frame));
        machines.Remove(best);
        result.Count($"{scenario}.{frame.Method}:{frame.Line}", best.Locals.IsDefault ? [] : best.Locals, frame);
    }

    // In a debug build the machine is an object of its own.
    private static ImmutableArray<LocalValue> Read(MachineLocals locals, ClrObject box, ClrInstanceField field, ClrType machine)
        => field.IsObjectReference && box.ReadObjectField("StateMachine") is { IsNull: false, Type: { } type } own
            ? locals.Read(own.Address, type, isObject: true)
            : locals.Read(field.GetAddress(box.Address), locals.MachineTypeOf(box.Type!, machine), isObject: false);

    // Of pooled boxes it is not known; the scenarios that use them record nothing.
    private static bool IsPending(ClrObject box)
        => box.Type!.GetFieldByName("m_stateFlags") is not null && (box.ReadField<int>("m_stateFlags") & 0x1600000) == 0;

    // Boxes that have not completed, and iterators, which are machines themselves.
    private static List<(string, ImmutableArray<LocalValue>)> Machines(Target target)
    {
        var modules = new LoadedModules(target, new ProblemLog());
        var locals = new MachineLocals(target, modules, new VariableValues(target, modules));
        var found = new List<(string, ImmutableArray<LocalValue>)>();
        foreach (ClrObject item in target.Runtime.Heap.EnumerateObjects())
        {
            if (item.Type?.Name is not { } name || !name.Contains("Scenarios.", StringComparison.Ordinal))
                continue;
            if (item.Type.GetFieldByName("StateMachine") is { Type: { } machine } field && IsPending(item))
                found.Add((name, Read(locals, item, field, machine)));
            else if (item.Type.GetFieldByName("<>v__promiseOfValueOrEnd") is not null)
                found.Add((name, locals.Read(item.Address, item.Type, isObject: true)));
        }
        return found;
    }
}
