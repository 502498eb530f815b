using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>
/// A dump without the registers of one thread: that its stack is missing is said, and what it executes, and what depends on it, is
/// called neither scheduled nor running.
/// </summary>
[Trait("Category", "Integration")]
public sealed class UnseenThreadTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Stacks_on_a_thread_without_registers_are_not_claimed(bool runtimeAsync)
    {
        using ScenarioProcess process = ScenarioProcess.Start(runtimeAsync ? ScenarioBuild.Situations : ScenarioBuild.SituationsClassic, ["locked"]);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("unseen.dmp");
        ProgramDump.Write(process.Pid, dump);

        (StackView whole, IReadOnlyDictionary<int, uint> ids) = Read(dump);
        Assert.True(whole.Complete);
        Assert.All(whole.Stacks, stack => Assert.Equal(StackState.Blocked, stack.State));
        int lost = whole.Stacks.Single(s => s.Frames[0].Name == "WantAsync").Thread!.Value;
        CoreNotes.Forget(dump, ids[lost]);

        (StackView found, _) = Read(dump);
        Assert.False(found.Complete);
        Assert.Contains($"({lost})", Assert.Single(found.Problems, p => p.Code == ProblemCodes.ThreadRegistersMissing).Text);
        LogicalStack wants = found.Stacks.Single(s => s.Frames[0].Name == "WantAsync");
        Assert.Null(wants.Thread);
        Assert.NotEqual(StackState.Scheduled, wants.State);
        Assert.Contains("blocked, on a thread that could not be read", wants.WaitingOn?.FullText);
        Assert.Equal("", StackEnds.Verb(wants));
        Assert.Equal(StackState.Blocked, found.Stacks.Single(s => s.Frames[0].Name == "HoldAsync").State);
    }

    private static (StackView Snapshot, IReadOnlyDictionary<int, uint> Threads) Read(string dump)
    {
        using var target = Target.Open(dump, new TargetOptions());
        return (Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false }), target.Runtime.Threads.ToDictionary(t => t.ManagedThreadId, t => t.OSThreadId));
    }
}
