using System.Collections.Immutable;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Heap;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Locals;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Values;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.BadInput;

/// <summary>
/// A torn heap: continuations whose arrays are other objects, freed memory or nothing at all, and machines where there are none.
/// What is shown may be nonsense; it is short, and nothing is thrown.
/// </summary>
[Trait("Category", "Integration")]
public sealed class HostileLocalsTests
{
    private const int LongestValue = 4000;

    private static readonly string[] Arguments =
        ["--only", "PrimitiveLocals,StructLocals,StringLocals,GenericLocals,CapturedLocals,TupleLocals,NullableLocals,ObjectLocals,TimeLocals,EnumLocals"];

    private readonly Random _random = new(11);

    [Fact]
    public void Continuations_with_foreign_arrays()
    {
        using var process = ScenarioProcess.Start(ScenarioBuild.Release, Arguments, ("DOTNET_TieredCompilation", "0"));
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        var problems = new ProblemLog();
        HeapIndex index = new HeapWalk(target, new StateMachineLayouts(target), LayoutFacts.None, problems).Run((_, _) => { }, CancellationToken.None);
        var modules = new LoadedModules(target, problems);
        ContinuationRow[] rows = [.. Enumerable.Range(0, index.Frames.Count).Select(index.Frames.RowOf).Where(r => !r.Site.IsFinal)];
        var sites = ResumeSites.Find(target, [.. rows.Select(r => r.Site.Address)], problems, CancellationToken.None);
        var native = new NativeBodies(target, LayoutFacts.None);
        var points = new SuspensionPoints(target, modules, native, sites, LayoutFacts.None, problems);
        var contexts = new GenericContext(target, new SavedData(target, modules, index.Layout));
        var locals = new ContinuationLocals(target, native, contexts, index.Layout.Continuation!, new VariableValues(target, modules));
        // Arrays of other continuations more often than not: others are mostly too short to hold anything.
        ulong[] arrays = [.. rows.SelectMany(r => new[] { r.Data, r.GCData })];
        ulong[] objects = [.. target.Runtime.Heap.EnumerateObjects().Select(o => o.Address)];
        objects = [.. objects, .. Enumerable.Range(0, objects.Length).Select(i => arrays[i % arrays.Length])];
        int read = 0;
        foreach (ContinuationRow row in rows)
        {
            SuspensionPoint point = points.At(row.Site);
            for (int round = 0; round < 200; round++)
                read += Check(locals.Read(point, row with { Data = Foreign(objects), GCData = Foreign(objects) }));
        }
        Assert.True(read > 100, $"only {read} values");
    }

    [Fact]
    public void Invalid_state_machines()
    {
        using var process = ScenarioProcess.Start(ScenarioBuild.Classic, Arguments);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        var modules = new LoadedModules(target, new ProblemLog());
        var locals = new StateMachineLocals(target, modules, new VariableValues(target, modules));
        ClrObject[] objects = [.. target.Runtime.Heap.EnumerateObjects()];
        ulong[] addresses = [.. objects.Select(o => o.Address)];
        ClrType[] types = [.. objects.Select(o => o.Type).OfType<ClrType>().Distinct()];
        int read = 0;
        for (int round = 0; round < 3000; round++)
            read += Check(locals.Read(Foreign(addresses), types[_random.Next(types.Length)], isObject: round % 2 == 0));
        Assert.True(read > 100, $"only {read} values");
    }

    private ulong Foreign(ulong[] objects) => _random.Next(5) switch
    {
        0 => 0,
        1 => (ulong)_random.NextInt64(),
        2 => ulong.MaxValue - (ulong)_random.Next(64),
        3 => objects[_random.Next(objects.Length)] + (ulong)_random.Next(64),
        _ => objects[_random.Next(objects.Length)],
    };

    private static int Check(ImmutableArray<LocalValue> locals)
    {
        Assert.All(locals, l => Assert.InRange(l.Value.Length, 1, LongestValue));
        Assert.All(locals, l => Assert.DoesNotContain(l.Value, char.IsControl));
        return locals.Length;
    }
}
