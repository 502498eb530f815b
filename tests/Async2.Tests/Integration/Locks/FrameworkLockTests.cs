using System.Globalization;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Integration.Locks;

/// <summary>Locks that the framework takes for its own objects, for a moment: whose thread stands in such a moment is not accused of having left one behind.</summary>
[Trait("Category", "Integration")]
public sealed class FrameworkLockTests
{
    private const string Semaphore = "System.Threading.SemaphoreSlim";

    // A thread in them goes on at once.
    [Theory]
    [InlineData(Semaphore, "WaitAsync", FrameRole.None)]
    [InlineData(Semaphore, "WaitAsyncCore", FrameRole.None)]
    [InlineData(Semaphore, "CreateAndAddAsyncWaiter", FrameRole.None)]
    [InlineData(Semaphore, "Release", FrameRole.None)]
    [InlineData(Semaphore, "Wait", FrameRole.Blocks)]
    [InlineData(Semaphore, "WaitUntilCountOrTimeout", FrameRole.Blocks)]
    public void What_returns_a_task_does_not_block(string type, string method, object role) => Assert.Equal(role, ResumptionMethods.RoleOf(type, method));

    // Optimised code has WaitAsync, which takes the lock and releases it, inlined in the method that calls it.
    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_method_into_which_WaitAsync_was_inlined_releases_the_semaphores_own_lock(string build)
    {
        using ScenarioProcess process = ScenarioProcess.Start(HolderTests.BuildOf(build), ["permits"], []);
        using var target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        var modules = new LoadedModules(target, new ProblemLog());
        var exits = new LockExits(target, new MethodSummaries(modules), modules);
        ModuleMethod waits = modules.TypesOfUser().SelectMany(type => type.Module.MethodsOf(type.Type))
            .Single(method => $"{method.Facts.DeclaringType.FullName}.{method.Facts.RawName}" is var name && name.Contains("Permits", StringComparison.Ordinal) && name.Contains("OneAsync", StringComparison.Ordinal)
                && method.Facts.RawName == (build == "Situations" ? "OneAsync" : "MoveNext"));
        Assert.True(exits.MayExit(waits, [], new CalleeName(Semaphore, "CreateAndAddAsyncWaiter")));
        Assert.True(exits.MayExit(waits, [], null, runs: true));
        Assert.False(exits.MayExit(waits, [], null));
        Assert.False(exits.MayExit(waits, [], new CalleeName("System.Threading.Thread", "SpinWait")));
        Assert.False(exits.MayExit(waits, [], new CalleeName(Semaphore, "WaitAsync")));
    }

    [Fact]
    public void A_lock_in_a_field_of_the_frameworks_is_its_own()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["permits"], []);
        using var target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        var modules = new LoadedModules(target, new ProblemLog());
        var exits = new LockExits(target, new MethodSummaries(modules), modules);
        ClrObject permits = target.Runtime.Heap.EnumerateObjects().First(item => item.Type?.Name == "Situations.Permits"), semaphore = permits.ReadObjectField("_one");
        ulong own = semaphore.ReadObjectField("m_lockObjAndDisposed").Address;
        Assert.True(exits.IsOfFramework(own, [permits.Address, semaphore.Address]));
        // The program itself has this one in a field.
        Assert.False(exits.IsOfFramework(semaphore.Address, [permits.Address, 0, 1, own]));
    }
}
