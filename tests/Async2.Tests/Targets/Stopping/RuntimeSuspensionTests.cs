using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Stopping;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Targets.Stopping;

/// <summary>A process is copied when its runtime does not suspend its own threads.</summary>
public sealed class RuntimeSuspensionTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData("""{"globals":{"AppDomain":[[1],"pointer"],"GCThread":[[5],"pointer"]}}""", 5)]
    [InlineData("""{"globals":{"GCThread":[[123],"pointer"]}}""", 123)]
    [InlineData("""{"globals":{"GCThread":["0x5","pointer"]}}""", -1)]
    [InlineData("""{"globals":{"GCThread":[[99999999999],"pointer"]}}""", -1)]
    [InlineData("""{"globals":{"GCThread":[[""", -1)]
    [InlineData("{}", -1)]
    public void The_contract_has_the_variable_of_the_suspending_thread(string json, int index)
        => Assert.Equal(index, RuntimeSuspension.IndexIn(System.Text.Encoding.UTF8.GetBytes(json)));

    /// <summary>With so small a generation 0 the runtime has its threads suspended at nine of ten moments.</summary>
    [Fact]
    [Trait("Category", "Integration")]
    public void No_process_is_copied_during_a_collection()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["churn", "200"], ("DOTNET_GCgen0size", "80000"));
        var suspension = RuntimeSuspension.Find(process.Pid, MemoryMapping.Of(process.Pid));
        Assert.NotNull(suspension);
        int seen = 0, looks = 0;
        ProcessFacts.WaitUntil(() => ++looks > 0 && suspension.IsSuspending && ++seen > 20, "it collects");
        for (int round = 0; round < 10; round++)
        {
            using var target = Target.OpenProcess(process.Pid, new TargetOptions());
            Assert.True(target.Runtime.Heap.CanWalkHeap);
            Assert.DoesNotContain(target.Runtime.Threads, thread => thread.IsGc);
        }
        output.WriteLine($"suspended in {seen} of {looks} looks");
    }
}
