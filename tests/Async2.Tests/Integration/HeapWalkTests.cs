using Async2.Analysis.Heap;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Integration;

/// <summary>The linear walk against ClrMD's own enumeration, object by object, of real heaps: live, and in a dump that is mapped.</summary>
public sealed class HeapWalkTests
{
    [Fact]
    public void A_stopped_process()
    {
        using var process = ScenarioProcess.Start(ScenarioBuild.Release, []);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions { Freeze = FreezeMode.Full });
        Compare(target);
    }

    [Theory]
    [InlineData("DOTNET_gcServer", "1")]
    [InlineData("DOTNET_GCgen0size", "40000")]
    public void A_dump(string name, string value)
    {
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("heap.dmp");
        using (var process = ScenarioProcess.Start(ScenarioBuild.Release, [], (name, value)))
            ProgramDump.Write(process.Pid, dump);
        using var target = Target.Open(dump, new TargetOptions());
        Compare(target);
        // A debugger that has it open: its file is mapped, and no other one.
        using var hosted = Target.FromRuntime(target.Runtime, isDump: true, dump);
        Assert.NotNull(hosted.Origin.Mapped);
        Compare(hosted);
        using var other = Target.FromRuntime(target.Runtime, isDump: true, typeof(HeapWalkTests).Assembly.Location);
        Assert.Null(other.Origin.Mapped);
    }

    private static void Compare(Target target)
    {
        var problems = new ProblemLog();
        long objects = 0;
        HeapIndex index = new HeapWalk(target, new StateMachineLayouts(target), LayoutFacts.None, problems).Run((_, count) => objects = Math.Max(objects, count), CancellationToken.None);
        Assert.Empty(problems.ToImmutable());
        Assert.True(index.Complete);
        // Where a thread was about to write an object, ClrMD gives one without a type and ends, unless it is asked to go on.
        var all = target.Runtime.Heap.EnumerateObjects(carefully: true).Where(o => o.Type is not null).ToList();
        Assert.Equal(all.Count, objects);
        Assert.Equal(all.Where(o => o.Type!.Name == ContinuationLayout.TypeName).Select(o => o.Address).Order(), Enumerable.Range(0, index.Frames.Count).Select(index.Frames.AddressOf));
        if (target.Memory.Image is null)
            return;
        // Those of some types, in the same order.
        static bool IsWanted(ClrType type) => type.Name?.Contains("Task", StringComparison.Ordinal) == true;
        var inPlace = new InPlaceObjects(target, LayoutFacts.None);
        ulong[] wanted = [.. all.Where(o => IsWanted(o.Type!)).Select(o => o.Address)];
        List<ClrType> first = [], again = [];
        Assert.Equal(wanted, inPlace.Of(type => Asked(type, first)).Select(item => item.Address));
        // A second search knows the types, and asks about each of them all the same.
        Assert.Equal(wanted, inPlace.Of(type => Asked(type, again)).Select(item => item.Address));
        Assert.Equal(first, again);
        Assert.Empty(inPlace.Of(_ => false));

        static bool Asked(ClrType type, List<ClrType> asked)
        {
            asked.Add(type);
            return IsWanted(type);
        }
    }
}
